# Declares unused memory to be its environment (a number of MB), says so, and sleeps for a minute. Needs no privileges.
import ctypes, sys, time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.sbrk.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
size = int(sys.argv[1]) << 20
PROT_READ, MAP_PRIVATE_ANONYMOUS_NORESERVE = 1, 0x4022
start = libc.mmap(None, size, PROT_READ, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0)
fields = [0] * 3 + open("/proc/self/stat").read().rsplit(")", 1)[1].split()


class MemoryMap(ctypes.Structure):
    _fields_ = [(f"address{index}", ctypes.c_uint64) for index in range(12)]
    _fields_ += [("auxv_size", ctypes.c_uint32), ("exe_fd", ctypes.c_uint32)]


code, data, heap = [fields[26], fields[27]], [fields[45], fields[46]], [fields[47], libc.sbrk(0)]
stack_and_arguments = [fields[28], fields[48], fields[49]]
addresses = [int(field) for field in code + data + heap + stack_and_arguments] + [start, start + size, 0]
memory_map = MemoryMap(*addresses, 0, 0xFFFFFFFF)
PR_SET_MM, PR_SET_MM_MAP = 35, 14
if libc.prctl(PR_SET_MM, PR_SET_MM_MAP, ctypes.byref(memory_map), ctypes.sizeof(memory_map), 0) != 0:
    sys.exit(f"prctl failed: {ctypes.get_errno()}")
print("ready", flush=True)
time.sleep(60)
