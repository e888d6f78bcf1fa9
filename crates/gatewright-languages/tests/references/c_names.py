"""Prints the names that the headers of the C and C++ libraries declare.

`c_names.py c > src/references/c/c_names.txt`, `c_names.py cpp > .../cpp_names.txt`
and `c_names.py headers > .../headers.txt`, with gcc and its headers installed.
Names that start with an underscore are the library's own and left out.
"""

import pathlib
import re
import subprocess
import sys

C = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar
wctype aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary
mqueue net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn
strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs
sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios ulimit unistd utime
utmpx wordexp alloca byteswap endian execinfo getopt ifaddrs malloc paths pty sys/epoll sys/eventfd
sys/file sys/inotify sys/ioctl sys/param sys/prctl sys/random sys/sendfile sys/signalfd sys/statfs
sys/syscall sys/sysinfo sys/timerfd sys/vfs sys/xattr sys/mount sys/ptrace sys/auxv err error fts link
mntent obstack argp netinet/ip netinet/udp netinet/ether netinet/ip_icmp net/ethernet resolv shadow
ucontext utmp values sysexits features crypt stdio_ext elf immintrin""".split()
CPP = ["bits/stdc++.h", "cxxabi.h", "coroutine"]


def preprocessed(headers, language, standard):
    text = "#define _GNU_SOURCE 1\n" + "".join(f"#include <{name}>\n" for name in headers)
    found = ""
    for option in ["-E", "-dM"]:
        command = ["gcc", f"-x{language}", standard, "-P", "-E", option, "-"]
        found += subprocess.run(command, input=text, capture_output=True, text=True).stdout
    return found


def words(text):
    plain = re.sub(r'"[^"\n]*"', "", text)
    return set(re.findall(r"(?<![A-Za-z0-9_])[A-Za-z]\w*", plain))


def show(head, names):
    print(f"# {head}, by tests/references/c_names.py")
    line = ""
    for name in sorted(names):
        if len(line) + len(name) > 98:
            print(line)
            line = ""
        line = f"{line} {name}".strip()
    print(line)


def headers():
    listed = {f"{name}.h" for name in C}
    include = pathlib.Path("/usr/include")
    for version in include.glob("c++/*"):
        listed.update(path.name for path in version.iterdir() if path.is_file())
    listed.update({"bits/stdc++.h", "intrin.h", "x86intrin.h", "arm_neon.h", "windows.h"})
    return listed


if __name__ == "__main__":
    kind = sys.argv[1]
    if kind == "headers":
        show("headers of the C and C++ libraries and of POSIX", headers())
    elif kind == "c":
        known = [f"{name}.h" for name in C]
        show("names of the C library", words(preprocessed(known, "c", "-std=gnu17")))
    else:
        show("names of the C++ library", words(preprocessed(CPP, "c++", "-std=gnu++20")))
