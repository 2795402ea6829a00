/** The architectures that the filter knows, as the kernel identifies them. */
const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;

/**
 * System calls that a sandboxed server may not use, with their numbers on x64 and arm64. They reach kernel keyrings, which
 * no namespace hides, create namespaces and mounts, or make other calls (`io_uring`) that this filter does not see.
 */
export const BLOCKED_CALLS: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
};

const CLONE3 = 435;
const OPENAT2 = 437;
/** `O_CREAT`, and the bit of `O_TMPFILE` that no other flag has: only these use the mode. */
const CREATES = 0x400040;
/** A program with these bits runs with the rights of its owner, who may be the user outside of the sandbox. */
const SET_ID = 0o6000;
const NEW_USER = 0x10000000;
/** Type into the terminal. */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** Unix, IPv4, IPv6 and netlink. Others, such as the one to the host of a virtual machine, are hidden by no namespace. */
const FAMILIES = [1, 2, 10, 16];

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const jumpIfEqual = (value: number, ifTrue: number, ifFalse: number): Instruction => [
  0x15,
  ifTrue,
  ifFalse,
  value,
];
const jumpIfSet = (bits: number, ifTrue: number, ifFalse: number): Instruction => [
  0x45,
  ifTrue,
  ifFalse,
  bits,
];
const jumpIfAtLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [
  0x35,
  ifTrue,
  ifFalse,
  value,
];
const answer = (value: number): Instruction => [0x06, 0, 0, value];
const ALLOW = answer(0x7fff0000);
const KILL = answer(0x80000000);
const NOT_PERMITTED = answer(0x00050001);
const NOT_SUPPORTED = answer(0x00050061);
const NOT_IMPLEMENTED = answer(0x00050026);

/** Returns the filter as bubblewrap's `--seccomp` reads it. A program for any other architecture is killed. */
export function syscallFilter(): Uint8Array {
  const x64 = callsOf(0, {
    clone: 56,
    ioctl: 16,
    sockets: [41, 53],
    opens: [
      [2, 1],
      [257, 2],
    ],
    modes: [
      [85, 1],
      [90, 1],
      [91, 1],
      [133, 1],
      [259, 2],
      [268, 2],
      [452, 2],
    ],
  });
  const arm64 = callsOf(1, {
    clone: 220,
    ioctl: 29,
    sockets: [198, 199],
    opens: [[56, 2]],
    modes: [
      [33, 2],
      [52, 1],
      [53, 2],
      [452, 2],
    ],
  });
  const program: Instruction[] = [
    load(4),
    jumpIfEqual(X64, 2, 0),
    jumpIfEqual(ARM64, x64.length + 4, 0),
    KILL,
    load(0),
    jumpIfAtLeast(0x40000000, 0, 1), // the x32 calls have other numbers
    KILL,
    ...x64,
    load(0),
    ...arm64,
  ];
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value, true);
  }
  return bytes;
}

/** Expects the number of the call to be loaded. */
function callsOf(
  column: 0 | 1,
  {
    clone,
    ioctl,
    sockets,
    opens,
    modes,
  }: {
    readonly clone: number;
    readonly ioctl: number;
    readonly sockets: readonly number[];
    /** Calls with flags and then a mode, and the place of the flags. */
    readonly opens: readonly (readonly [call: number, flags: number])[];
    /** Calls with a mode, and its place. */
    readonly modes: readonly (readonly [call: number, mode: number])[];
  },
): Instruction[] {
  const refuseSetId = [jumpIfSet(SET_ID, 0, 1), NOT_PERMITTED, ALLOW];
  return [
    ...Object.values(BLOCKED_CALLS).flatMap((numbers) => [jumpIfEqual(numbers[column], 0, 1), NOT_PERMITTED]),
    // Programs then use the calls whose arguments the filter can read.
    jumpIfEqual(CLONE3, 1, 0),
    jumpIfEqual(OPENAT2, 0, 1),
    NOT_IMPLEMENTED,
    jumpIfEqual(clone, 0, 4),
    load(16),
    jumpIfSet(NEW_USER, 0, 1),
    NOT_PERMITTED,
    ALLOW,
    ...modes.flatMap(([call, mode]) => ofArgument(call, 16 + 8 * mode, refuseSetId)),
    ...opens.flatMap(([call, flags]) =>
      ofArgument(call, 16 + 8 * flags, [
        jumpIfSet(CREATES, 1, 0),
        ALLOW,
        load(16 + 8 * (flags + 1)),
        ...refuseSetId,
      ]),
    ),
    ...ofArgument(ioctl, 24, [
      ...TERMINAL_INPUT.flatMap((request) => [jumpIfEqual(request, 0, 1), NOT_PERMITTED]),
      ALLOW,
    ]),
    ...sockets.flatMap((call) =>
      ofArgument(call, 16, [
        ...FAMILIES.flatMap((family) => [jumpIfEqual(family, 0, 1), ALLOW]),
        NOT_SUPPORTED,
      ]),
    ),
    ALLOW,
  ];
}

/** Decides about one call by an argument. */
function ofArgument(call: number, offset: number, instructions: readonly Instruction[]): Instruction[] {
  return [jumpIfEqual(call, 0, instructions.length + 1), load(offset), ...instructions];
}
