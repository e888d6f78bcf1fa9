#!/usr/bin/env python3
"""Verifies an export of receipts without Gatewright; standard library only.
Recomputes every self_hash, the chain and the Merkle root, and checks the signed checkpoints.
Exit code 0: sound. 1: bad, naming the first bad receipt. 3: cannot tell, because nothing that
was given proves the end of the ledger, or who signed it."""
import argparse, base64, hashlib, json, re, sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ZERO = -121665 * pow(121666, P - 2, P) % P, (0, 1, 1, 0)
FAULTS = (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError)
sha = lambda data: hashlib.sha256(data).digest()
class Bad(ValueError):
    """Something that was changed."""
def need(holds, reason):
    if not holds:
        raise Bad(reason)
# Ed25519 (RFC 8032) with points (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z.
def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P
def times(n, p):
    return add(times(n >> 1, add(p, p)), p if n & 1 else ZERO) if n else ZERO
def same(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0
def point(data):
    y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    x = x if (x * x - xx) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    need(y < P and (x * x - xx) % P == 0 and (x or not sign), "not a point of the curve")
    x = P - x if x & 1 != sign else x
    need(not same(times(8, (x, y, 1, x * y % P)), ZERO), "a point of small order")
    return x, y, 1, x * y % P
def check_signature(key, message, signature):
    s = int.from_bytes(signature[32:], "little")
    need(len(signature) == 64 and s < L, "the signature is malformed")
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    right = add(point(signature[:32]), times(k, point(key)))
    need(same(times(s, base), right), "the signature does not fit")

def canonical(value):
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: pair[0].encode("utf-16-be"))
        return "{" + ",".join(canonical(k) + ":" + canonical(v) for k, v in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    need(not isinstance(value, int) or abs(value) < 2**53, "a number past 2^53 - 1")
    return json.dumps(value, ensure_ascii=False)
def decode(text):
    need(base64.b64encode(base64.b64decode(text)).decode() == text, "not strict base64")
    return base64.b64decode(text)

def check(line, seq, head, key):
    value = json.loads(line, parse_float=int, parse_constant=int)  # int refuses both
    need(canonical(value).encode() == line, "not canonical JSON")  # nor has it duplicate keys
    found, signature = value.pop("self_hash"), value.pop("signature")
    digest = sha(canonical(value).encode())
    need(canonical([value["v"], value["seq"]]) == f"[1,{seq}]", "not in its place")
    need(value["prev_receipt_hash"] == head, "does not follow the receipt before it")
    need(found == "sha256:" + digest.hex(), "self_hash does not fit the content")
    if key:
        check_signature(key, b"gatewright.dev/receipt/v1\0" + digest, decode(signature))
    return found

def verify(lines, marks, key, spare_key=None):
    head, frontier = None, []
    for seq, line in enumerate(lines):
        try:
            head, node, level = check(line, seq, head, key), sha(b"\0" + line), seq
        except FAULTS as error:
            raise Bad(f"receipt {seq}: {error}") from None
        while level & 1:
            node, level = sha(b"\1" + frontier.pop() + node), level >> 1
        frontier.append(node)
        for size, top in marks:
            if size == seq + 1 and top != root(frontier):
                verify(lines, [], spare_key)  # the root tells that, a signature tells which
                raise Bad(f"the first {size} receipts are not those of the checkpoint")
    need(all(size <= len(lines) for size, _ in marks), f"receipt {len(lines)}: missing")
def root(frontier):
    return sha(b"\1" + frontier[0] + root(frontier[1:])) if frontier[1:] else frontier[0]

def checkpoint(path, name, key):
    try:
        text = open(path, encoding="utf-8", newline="").read()
        form = "((\\S+)\n(0|[1-9][0-9]*)\n(\\S+)\n)\n\u2014 \\2 (\\S+)\n+"
        body, origin, size, top, last = re.fullmatch(form, text).groups()
        if key:
            owner = origin == name and decode(last)[:4] == sha(f"{name}\n\1".encode() + key)[:4]
            need(owner, "of another ledger or key")
            check_signature(key, body.encode(), decode(last)[4:])
        return int(size), decode(top)
    except FAULTS as error:
        raise Bad(f"checkpoint {path}: {error}") from None

def main(options):
    origin, _, encoded = (options.key or "++").strip().split("+", 2)
    key, lines = decode(encoded)[1:], open(options.receipts, "rb").read().split(b"\n")
    need(lines.pop() == b"", f"receipt {len(lines)}: the last line is cut off")
    marks = [checkpoint(p, origin, key) for p in (options.checkpoint, options.older) if p]
    verify(lines, marks, key if options.signatures else None, key)
    if options.checkpoint:
        need(marks[0][0] == len(lines), f"receipt {marks[0][0]}: not covered by the checkpoint")
    missing = "--key: anybody may have signed" if not key else "" if marks else "a checkpoint"
    print(f"cannot tell without {missing}" if missing else f"ok: {len(lines)} receipts")
    return 3 if missing else 0

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, help in (("receipts", "the JSONL export"), ("--key", "origin+hash+base64"),
                       ("--checkpoint", "of this export"), ("--older", "an older checkpoint")):
        parser.add_argument(name, help=help)
    parser.add_argument("--signatures", action="store_true", help="check each receipt's too")
    try:
        sys.exit(main(parser.parse_args()))
    except Bad as error:
        sys.exit(f"bad: {error}")
