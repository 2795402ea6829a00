/** A list that counts how often it is read. */
export function countedList(length: number): { list: unknown[]; visits(): number } {
  let visits = 0;
  const list = new Proxy(
    Array.from({ length }, () => 1),
    {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) visits += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  return { list, visits: () => visits };
}
