//! TypeScript: keys of objects that are written for a type, and attributes of tags.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"name\": \"shop\"}
--- src/pay.tsx
export interface Base { id: string }
export interface Options extends Base { amount: number; note?: string }
export type Open = { [key: string]: number };
export type Either = { a: number } | { b: number };
export function pay(till: string, options: Options) {}
export const refund = (options: { amount: number }) => {};
export function wide(options: Open, either: Either) {}
export function many(options: Options): void;
export function many(options: Open): void;
export function many(options: any) {}
export function made<Options>(options: Options) {}
export function Button({ label }: { label: string }) { return null; }
export const Lamp: React.FC<Options> = () => null;
export const Desk = memo(function Desk(props: Options) { return null; });
export const Any = forwardRef<HTMLElement, Options>((props, ref) => null);
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/a.tsx", text))
}

#[test]
fn keys_are_held_against_the_type_that_takes_them() {
    let text = "\
import { Options, Open, Either, pay, refund, wide, many, made } from './pay';
const a: Options = { id: 'x', amount: 1, amuont: 2 };
const b: Open = { any: 1 }, c: Either = { a: 1 }, d: Options | Open = { any2: 1 };
const e: Partial<Options> = { any3: 1 }, f: Options = { ...a, note: 'x', 'data-x': 1, [key()]: 1 };
pay('x', { id: 'x', amount: 1, currency: 'x' });
refund({ amount: 1, totally() {} });
wide({ any4: 1 }, { any5: 1 }); many({ any6: 1 }); made({ any7: 1 }); pay({ any8: 1 }, a);
function key() { return 'x'; }
function inner(pay: any) { pay('x', { any9: 1 }); }
";
    assert_eq!(check(text), ["2 argument amuont", "6 argument totally"], "pay is two things here");
    let text = "import { pay } from './pay';\npay('x', { id: 'x', amount: 1, currency: 'x' });\n";
    assert_eq!(check(text), ["2 argument currency"]);
}

#[test]
fn attributes_are_held_against_what_a_component_takes() {
    let text = "\
import { Button, Lamp, Desk, Any } from './pay';
const it = <div any=\"x\">
  <Button key=\"a\" ref={it} label=\"x\" data-any=\"x\" colour=\"x\">text</Button>
  <Lamp id=\"x\" amount={1} watts={2} /><Desk id=\"x\" amount={1} legs={4} />
  <Any any2={1} {...it} />
</div>;
";
    let wanted = ["3 argument colour", "4 argument watts", "4 argument legs"];
    assert_eq!(check(text), wanted);
    let elsewhere = Tree::new(PROJECT).with("src/b.tsx", b"const x = <p colour watts legs />;");
    assert!(missing(&elsewhere.write("src/a.tsx", text)).is_empty());
}
