//! TypeScript and JavaScript: members of what the language brings itself.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- src/till.ts
export class Till { open() {} }
--- src/more.js
String.prototype.shout = function () { return this.toUpperCase(); };
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn global_objects_have_the_members_that_any_version_has() {
    let text = "\
const all = Array.fromList([1]);
const held = Object.mapValues(all);
console.logg(Math.clampTo(1), Math.max(1, 2), JSON.tryParse(''));
Promise.delay(10).then(Object.groupBy);
Error.captureStackTrace(held);
document.getElementByName('till');
";
    let expected = [
        "1 member fromList",
        "2 member mapValues",
        "3 member clampTo",
        "3 member logg",
        "3 member tryParse",
        "4 member delay",
        "6 member getElementByName",
    ];
    for path in ["src/a.ts", "src/a.js"] {
        let mut found = check(path, text);
        found.sort();
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn what_is_asked_for_first_or_put_there_is_left_alone() {
    let text = "\
import { Promise } from './promises';
Promise.delay(10);
if (Object.observe) { Object.observe({}); }
Array.fromIterator?.([]);
Math.half = (it) => it / 2;
Math.half(4);
const Reader = { JSON: 1 };
'till'.shout();
";
    assert!(check("src/a.js", text).iter().all(|it| it.contains("promises")));
}

#[test]
fn lists_and_texts_have_the_members_of_their_class() {
    let text = "\
import { Till } from './till';
function one(names: string[], tills: Till[], size: number, label: string | undefined) {
  names.filterNot(Boolean); names.filter(Boolean);
  tills.firstWhere(it => it); tills.map(it => it.shut());
  size.clamp(1); label.toTitleCase(); label.trimEnd();
}
class Box { names: string[] = []; all() { return this.names.unique(); } }
'till'.capitalise(); [1, 2].sum(); `${1}`.trim();
const list = []; list.addAll([1]); list.push(1);
";
    let mut found = check("src/a.ts", text);
    found.sort();
    assert_eq!(
        found,
        [
            "3 member filterNot",
            "4 member firstWhere",
            "4 member shut",
            "5 member clamp",
            "5 member toTitleCase",
            "7 member unique",
            "8 member capitalise",
            "8 member sum",
            "9 member addAll",
        ]
    );
}

#[test]
fn an_import_that_is_called_like_a_class_of_the_language_is_its_own() {
    let text = "\
import { String, Array } from 'runtypes-like';
function one(name: string, all: string[]) { name.trim(); all.push(name); String.withBrand('x'); }
";
    assert!(
        !check("src/a.ts", text).iter().any(|it| it.contains("withBrand") || it.contains("trim"))
    );
}

#[test]
fn what_node_makes_global_is_known_and_what_is_asked_for_is_left_alone() {
    let text = "\
process.cwd(); process.workdir(); Buffer.from('x'); Buffer.isBuffers(1); process.env.ANY;
if (process.workdirs) {} const a = process.asked && 1; process.put = 1; process.put;
document.bodies.append(1); const b = document.kept; use(Math.sqrts, Number.MOST === 1);
Object.vowed === undefined || use(Object.vowed);
function use() {}
";
    let wanted = [
        "1 member workdir",
        "1 member isBuffers",
        "3 member bodies",
        "3 member sqrts",
        "3 member MOST",
    ];
    assert_eq!(check("src/b.js", text), wanted);
}
