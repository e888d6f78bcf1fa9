//! C#.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- Shop/Shop.csproj
<Project><ItemGroup><PackageReference Include=\"Dapper\" /></ItemGroup></Project>
--- Shop/Models.cs
namespace Shop.Models
{
    public abstract class Entity { public int Id { get; set; } protected void Touch() { } }
    public partial class Order : Entity
    {
        private readonly List<string> lines = new List<string>();
        public enum State { Open, Closed }
        public State Current;
        public static Order Load(int id) => null;
        public void Add(string line) { lines.Add(line); Touch(); }
    }
    public static class OrderExtensions { public static void Print(this Order order) { } }
}
--- Shop/Models.Part.cs
namespace Shop.Models { public partial class Order { public void Cancel() { } } }
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("Shop/New.cs", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
using System;
using System.Linq;
using System.Text;
using Shop.Models;
namespace Shop
{
    [Serializable]
    public class Desk<T> : Entity where T : class
    {
        private Order order;
        public string Name { get; set; }
        public void Run(Order other, T item)
        {
            var text = new StringBuilder();
            text.Append(Name).AppendLine();
            order = Order.Load(1);
            this.order.Add(\"x\"); other.Cancel(); other.Print(); other.Id.ToString();
            if (other.Current == Order.State.Open) Touch();
            Console.WriteLine(nameof(Run) + string.Join(\",\", Enumerable.Range(0, 3)));
            Local();
            void Local() { this.Touch(); }
        }
    }
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
using System;
using System.Texts;
using Shop.Modelz;
using FastMagic;
using Shop.Models;
namespace Shop
{
    public class Desk : Entityy
    {
    }
    public class Table : Entity
    {
        public void Run(Order other, Orderr wrong)
        {
            this.Touchy();
            Vanish();
            Order.Lode(1);
            other.Erase();
            var order = new Order();
            order.Submit();
            new Ghost();
            Console.WriteLin(Order.State.Lost);
        }
    }
}
";
    assert_eq!(
        check(text),
        [
            "2 module System.Texts",
            "3 module Shop.Modelz",
            "4 package FastMagic",
            "8 class Entityy",
            "13 class Orderr",
            "15 member Touchy",
            "16 call Vanish",
            "17 member Lode",
            "18 member Erase",
            "20 member Submit",
            "21 class Ghost",
            "22 member WriteLin",
            "22 member Lost",
        ]
    );
}

#[test]
fn what_a_package_may_bring_is_not_told() {
    let text = "\
using Dapper;
class Store : SomeBase { void Run() { var command = new CommandDefinition(); Inherited(); } }
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let facts = Tree::new(PROJECT).change(&[
        ("Shop/New.cs", None, Some("using Shop.Fresh;\nclass A { void F() { new B().G(); } }\n")),
        ("Shop/B.cs", None, Some("namespace Shop.Fresh { class B { public void G() { } } }\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn what_stands_under_a_condition_is_left_alone() {
    let text = "\
#if OTHER_PLATFORM
using Other.Platform;
#endif
class Store {
    void Run() {
#if OTHER_PLATFORM
        new Elsewhere().Go();
#endif
        new Nowhere();
    }
}
";
    assert_eq!(check(text), ["9 class Nowhere"]);
}

#[test]
fn a_mark_of_byte_order_in_the_middle_of_a_file_hides_nothing() {
    let tree = Tree::new(
        "--- shop.csproj\n<Project></Project>\n\
         --- Entry.cs\n// notice\n\u{feff}namespace Shop {\n  public class Entry { }\n}\n",
    );
    let text = "// notice\n\u{feff}using FastZebra;\nnamespace Shop {\n  class Desk : Entry {\n    \
                void F() { Sell(); }\n  }\n}\n";
    assert_eq!(missing(&tree.write("Desk.cs", text)), ["2 package FastZebra", "5 call Sell"]);
}

#[test]
fn inside_of_a_class_its_name_is_not_its_constructor() {
    let text = "\
namespace Shop.Models
{
    public class Desk
    {
        public Desk() { }
        public static void Open() { }
        public void Sell() { Desk.Open(); Desk.Shut(); }
    }
}
";
    assert_eq!(check(text), ["7 member Shut"]);
}

#[test]
fn members_behind_a_loop_a_property_and_a_namespace_are_looked_up() {
    let text = |member: &str| {
        format!(
            "using Shop.Models;\nnamespace Shop {{ class Till {{\n  public Order Last {{ get; set; }}\n  \
             void F(Till till, Order[] all) {{\n    foreach (Order one in all) one.{member}();\n    \
             till.Last.{member}();\n    Last.{member}();\n    System.{member}x.Collect();\n  }} }} }}\n"
        )
    };
    assert_eq!(check(&text("Cancel").replace("Cancelx", "GC")), Vec::<String>::new());
    let found = check(&text("Cancle"));
    assert_eq!(found, ["5 member Cancle", "6 member Cancle", "7 member Cancle", "8 class Canclex"]);
}

#[test]
fn what_stands_behind_an_operator_of_a_type_belongs_to_it() {
    let text = "\
namespace Shop
{
    class Coin
    {
        public static bool operator ==(Coin a, Coin b) { return true; }
        public static bool operator !=(Coin a, Coin b) { return !(a == b); }
        void Count() { Weigh(); }
        void Weigh() { Melt(); }
        int last;
    }
}
";
    assert_eq!(check(text), ["8 call Melt"]);
}

#[test]
fn a_package_may_have_a_type_that_is_called_like_one_of_the_framework() {
    let tree = Tree::new(
        "--- a.csproj\n<Project><PackageReference Include=\"Vendor\" /></Project>\n\
         --- Other.cs\nusing Vendor;\nclass Other { }\n",
    );
    let text = "using Vendor;\nclass Desk { void F(Image image) { image.IconName = null; } }\n";
    assert_eq!(missing(&tree.write("Desk.cs", text)), [""; 0]);
    let known = text.replace("using Vendor", "using System.Drawing");
    assert_eq!(missing(&tree.write("Desk.cs", &known)), ["2 member IconName"]);
}

#[test]
fn another_part_of_what_other_files_use_is_no_invented_package() {
    let tree = Tree::new(
        "--- a.csproj\n<Project></Project>\n--- Other.cs\nusing Engine;\nclass Other { }\n",
    );
    let text = |package: &str| format!("using {package}.Events;\nclass Desk {{ }}\n");
    assert_eq!(missing(&tree.write("Desk.cs", &text("Engine"))), [""; 0]);
    let image = text("Engine").replace("{ }", "{ void F(Image i) { i.IconName = null; } }");
    assert_eq!(missing(&tree.write("Desk.cs", &image)), [""; 0]);
    let call = text("Engine").replace("{ }", "{ void F() { Zebra(); } }");
    assert_eq!(missing(&tree.write("Desk.cs", &call)), ["2 call Zebra"]);
    assert_eq!(missing(&tree.write("Desk.cs", &text("Zebra"))), ["1 package Zebra.Events"]);
}

#[test]
fn bases_that_come_with_a_type_of_dotnet_are_known_in_every_file() {
    let text = "\
using System.Threading;
using Dapper;
namespace Shop
{
    class Desk { void Wait() { Thread.Sleep(1); Thread.Doze(1); } }
}
";
    assert_eq!(check(text), ["5 member Doze"]);
}

#[test]
fn a_partial_interface_with_one_part_is_whole() {
    let text = "\
namespace Shop
{
    partial interface ILedger { void Close(); }
    partial class Made { void Open() { this.Generated(); } }
    class Book : ILedger { public void Close() { this.Unheard(); } }
}
";
    assert_eq!(check(text), ["5 member Unheard"]);
}

#[test]
fn a_type_that_an_alias_or_a_static_using_names_has_to_be_there() {
    let text = "\
using System;
using Row = Shop.Models.Order;
using State = Shop.Models.Order.State;
using static Shop.Models.OrderExtensions;
using static System.Math;
using Lines = System.Collections.Generic.List<string>;
using Other = Dapper.CommandDefinition;
using Texts = Shop.Properties.Resources;
using Ledger = Shop.Models.Ledger;
using static Shop.Models.Quota;
using Part = Shop.Models.Order.Slot;
using static System.Mathz;
using Lost = Shop.Modelz.Order2;
class Desk { }
";
    assert_eq!(
        check(text),
        [
            "9 import Ledger",
            "10 import Quota",
            "11 import Slot",
            "12 import Mathz",
            "13 module Shop.Modelz",
        ]
    );
}

#[test]
fn the_claims_of_test_packages_are_known() {
    let text = "\
using NUnit.Framework;
class Tests
{
    void Run()
    {
        Assert.That(1, Is.EqualTo(1)); Assert.ThrowsAsync<int>(null); CollectionAssert.IsOrdered(null);
        Assert.AlmostThat(1); StringAssert.Resembles(null);
    }
}
";
    assert_eq!(check(text), ["7 member AlmostThat", "7 member Resembles"]);
}

#[test]
fn a_partial_class_whose_other_part_a_tool_writes_is_weighed() {
    let other = "class Other { void F() { new Desk().Drawn(); } }\n";
    let tree = Tree::new(&format!("--- a.csproj\n<Project />\n--- Other.cs\n{other}"));
    let text = |more: &str| format!("partial class Desk {{ void F() {{ Drawn(); {more} }} }}\n");
    let change =
        |more: &str| missing(&tree.change(&[("Desk.cs", Some(&text("")), Some(&text(more)))])[0]);
    assert_eq!(change("this.ZebraOf();"), ["1 member ZebraOf"]);
    assert_eq!(change("this.Drawn();"), Vec::<String>::new());
    assert_eq!(change("this.ZebraOf(); this.ZebuOf();"), Vec::<String>::new());
}

#[test]
fn a_package_of_another_name_adds_nothing_to_a_namespace_of_the_workspace() {
    let tree = Tree::new(
        "--- a.csproj\n<Project><ItemGroup><PackageReference Include=\"ShopKit.Core\" />\
         </ItemGroup></Project>\n--- Till.cs\nnamespace Shop.Tills { class Till { } }\n\
         --- Kit.cs\nnamespace ShopKit { class Own { } }\n",
    );
    let text = "using Ledger = Shop.Tills.Ledger;\nusing Kit = ShopKit.Ledger;\nclass Desk { }\n";
    assert_eq!(missing(&tree.write("Desk.cs", text)), ["1 import Ledger"]);
}

#[test]
fn members_of_a_type_of_dotnet_by_its_whole_name_are_looked_up() {
    let write = |line: &str| {
        let text = format!("namespace Shop {{ class Desk {{ void Run() {{ {line} }} }} }}\n");
        check(&text).into_iter().map(|found| found[2..].to_owned()).collect::<Vec<_>>()
    };
    for line in [
        "var x = System.Math.Max(1, 2);",
        "System.IO.File.Exists(\"a\");",
        "var x = System.Environment.SpecialFolder.Desktop;",
        "var x = System.Collections.Generic.Comparer<int>.Default;",
    ] {
        assert_eq!(write(line), [""; 0], "{line}");
    }
    assert_eq!(write("var x = System.Math.Largest(1, 2);"), ["member Largest"]);
    assert_eq!(write("var x = System.IO.Path.Jion(\"a\", \"b\");"), ["member Jion"]);
}

#[test]
fn an_argument_that_nothing_spells_is_passed_to_nothing_of_the_workspace() {
    let write = |line: &str| {
        let text = format!(
            "using System;\nusing Shop.Models;\nnamespace Shop {{ class Desk {{\n\
             Desk(int width) {{ }}\nvoid Open(bool fully) {{ }}\nvoid Run() {{ {line} }} }} }}\n"
        );
        check(&text)
    };
    for line in [
        "Open(fully: true);",
        "new Desk(width: 1);",
        "Order.Load(id: 1);",
        "string.Join(separatr: \"a\", values: null);",
        "new ArgumentException(mesage: \"a\");",
        "new Order().Add(lnie: \"a\");",
    ] {
        assert_eq!(write(line), [""; 0], "{line}");
    }
    assert_eq!(write("Open(fuly: true);"), ["6 argument fuly"]);
    assert_eq!(write("new Desk(widht: 1);"), ["6 argument widht"]);
    assert_eq!(write("Order.Laod(id: 1); new Order().Cancel(lnie: 1);")[0], "6 member Laod");
}

#[test]
fn a_class_has_the_members_of_its_interfaces_itself() {
    let text = "\
using System;
namespace Shop
{
    public class Desk : IOddSource<int>
    {
        public void Run(Desk other) { Open(); Shut(); this.Lift(); other.Lower(); }
        public void Open() { }
    }
    public class Odd : IOException
    {
        public void Run() { this.Message.ToString(); GetBaseException(); }
    }
}
";
    let found = ["6 call Shut", "6 member Lift", "6 member Lower"];
    let plain = text.replace("IOddSource<int>", "IEquatable<int>");
    assert_eq!(check(&plain), found);
    assert_eq!(check(text)[1..], found);
    // A package may have extensions of the interface; what stands alone is none of them.
    let open = format!("using Dapper;\n{text}");
    assert_eq!(check(&open), ["7 call Shut"]);
}

#[test]
fn a_new_file_that_a_condition_holds_as_a_whole_is_told_of_one_name_alone() {
    let text = |calls: &str| {
        format!(
            "#if HAVE_DESKS\nusing System;\nnamespace Shop\n{{\n    public class Desk\n    {{\n        \
             public void Open() {{ }}\n        public void Run() {{ Open(); {calls} }}\n    }}\n}}\n\
             #endif\n"
        )
    };
    assert_eq!(check(&text("Shut(); Shut();")), ["8 call Shut", "8 call Shut"]);
    assert_eq!(check(&text("Shut(); Lift();")), [""; 0]);
    let around = text("Shut();").replace("#endif\n", "#endif\nclass Other { }\n");
    assert_eq!(check(&around), [""; 0]);
}
