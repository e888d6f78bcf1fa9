"""Writes the table of global names of JavaScript and TypeScript that `references/script/globals.txt` is.

Usage: global_names.py DECLARATION_FILE... > globals.txt
"""
import re
import sys

EXTRA = """arguments undefined NaN Infinity globalThis require module exports __dirname __filename process Buffer
global setImmediate clearImmediate console JSX React describe it test expect beforeEach afterEach beforeAll afterAll
suite before after xit xdescribe fit fdescribe jest vi assert bench jasmine spyOn cy Cypress chrome browser define
Deno Bun importScripts $ jQuery _ angular defineProps defineEmits defineExpose withDefaults defineModel defineOptions
defineSlots google gapi Vue Ember NodeJS WebAssembly GLOBAL __DEV__ __webpack_require__ __non_webpack_require__
ReturnType Parameters eval $state $derived $effect $props $bindable $inspect EdgeRuntime HTMLRewriter D1Database KVNamespace
Intl Temporal escape unescape this super intrinsic const never unknown any object symbol bigint asserts""".split()

names = set(EXTRA)
pattern = re.compile(
    r"^\s*(?:export )?(?:declare )?(?:abstract )?(?:var|let|const|function|class|interface|type|namespace|module|enum)\s+([A-Za-z_$][\w$]*)",
    re.M,
)
for path in sys.argv[1:]:
    names.update(pattern.findall(open(path, encoding="utf-8").read()))
line = ""
for name in sorted(names):
    if len(line) + len(name) > 118:
        print(line)
        line = ""
    line += (" " if line else "") + name
print(line)
