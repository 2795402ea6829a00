# Moves to another session again and again: a copy goes on there, and this process ends. Stops by itself after a minute.
import os, signal, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
end = time.time() + 60
for stream in range(3):
    os.dup2(os.open(os.devnull, os.O_RDWR), stream)
while time.time() < end:
    if os.fork():
        os._exit(0)
    os.setsid()
    time.sleep(float(sys.argv[1]))
