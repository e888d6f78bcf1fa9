//! Ruby.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- Gemfile
gem 'nokogiri'
--- lib/shop.rb
require 'shop/order'
--- lib/shop/order.rb
module Shop
  class Entity
    attr_accessor :id
    def touch; end
  end
  class Order < Entity
    STATES = [:open, :closed].freeze
    def self.load(id); new; end
    def cancel!(reason) = nil
  end
  class Loose
    def method_missing(name, *args); end
  end
end
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("lib/shop/desk.rb", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
require 'json'
require 'nokogiri/xml'
require 'shop/order'
require_relative 'order'
module Shop
  class Desk < Entity
    include Comparable
    def run(items, &block)
      order = Order.load(1)
      order.cancel!('late')
      items.each { |item| print_item(item) }
      self.touch
      raise ArgumentError, JSON.generate(Order::STATES) unless order
      Nokogiri::XML(order.id.to_s)
      Loose.new.anything(1)
      block.call(Fast) if defined?(Fast)
    end

    def print_item(item)
      puts(item)
    end
  end
end
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
require 'shop/ordre'
require 'fastmagic'
require_relative 'ordre'
module Shop
  class Desk < Entityy
  end
  class Table < Entity
    def run
      order = Order.new
      order.send_off(1)
      Order.lode(1)
      self.touchy(2)
      vanish(3)
      Order::STATEZ
      Ghost.new
    end
  end
end
";
    assert_eq!(
        check(text),
        [
            "1 module shop/ordre",
            "2 package fastmagic",
            "3 module ordre",
            "5 class Entityy",
            "10 member send_off",
            "11 member lode",
            "12 call touchy",
            "13 call vanish",
            "14 class STATEZ",
            "15 class Ghost",
        ]
    );
}

#[test]
fn what_a_gem_may_bring_is_not_told() {
    let text = "\
class Page < Nokogiri::Document
  def run
    inherited_from_it(1)
  end
end
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let facts = Tree::new(PROJECT).change(&[
        (
            "lib/a.rb",
            None,
            Some("require_relative 'b'\nclass A < B\n  def f\n    g(1)\n  end\nend\n"),
        ),
        ("lib/b.rb", None, Some("class B\n  def g(x); end\nend\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn a_path_from_the_top_is_not_a_module_of_the_same_name_inside() {
    let tree = Tree::new(
        "--- lib/shop/words.rb\nmodule Shop\n  module Words\n    def self.all\n    end\n  end\nend\n\
         --- lib/shop/tea/words.rb\nmodule Shop::Tea::Words\nend\n",
    );
    let text = "class Desk\n  def sell\n    ::Words.with_zebra(1)\n  end\nend\n";
    assert_eq!(missing(&tree.write("lib/shop/desk.rb", text)), Vec::<String>::new());
}

#[test]
fn constants_of_one_assignment_are_all_there() {
    let text = "module Shop\n  ONE, TWO, THREE, *REST = \"1.2.3\".split(\".\")\n  \
                ALL = [ONE, TWO, THREE, *REST, FOUR]\nend\n";
    assert_eq!(missing(&Tree::new(PROJECT).write("lib/version.rb", text)), ["3 class FOUR"]);
}

#[test]
fn a_class_never_builds_on_a_module_of_the_same_name() {
    let text = "\
module Tool
  module Desk
    class Check < Desk
      def_rule :x
      made_by_a_gem(1)
    end
  end
end
";
    assert_eq!(check(text), Vec::<String>::new());
}

const WITH_GEMS: &str = "\
--- Gemfile
gem 'paint'
gem 'wall'
--- Gemfile.lock
GEM
  specs:
    brush (2.0)
    paint (1.1)
      brush
    wall (3.0)
--- lib/home.rb
module Home
end
--- /packages/gems/paint-1.0/lib/paint.rb
module Paint
  class Faded; end
end
--- /packages/gems/paint-1.1/lib/paint.rb
require 'paint/colour'
module Paint
  class Pot < Brush::Tool
    def self.mix(a); end
    def pour(b); end
  end
  class Loose
    def method_missing(name); end
  end
end
--- /packages/gems/paint-1.1/lib/paint/colour.rb
module Paint
  class Colour; end
end
--- /packages/specifications/paint-1.1.gemspec
  s.add_runtime_dependency(%q<brush>.freeze, [\">= 1\"])
--- /packages/gems/brush-2.0/lib/brush.rb
module Brush
  class Tool
    def clean; end
  end
end
--- /packages/specifications/brush-2.0.gemspec
  s.name = \"brush\"
--- /packages/gems/wall-3.0/lib/wall.rb
module Wall
  class Stone; end
end
--- /packages/gems/wall-3.0/ext/wall.c
void x(void);
--- /packages/specifications/wall-3.0.gemspec
  s.name = \"wall\"
--- /packages/gems/extra-1.0/lib/extra.rb
module Extra
end
";

#[test]
fn what_installed_gems_have_is_quiet() {
    let text = "\
require 'paint'
require 'paint/colour'
require 'wall/anything'
require 'extra'
module Home
  class Room < Paint::Pot
    def run
      Paint::Pot.mix(Paint::Colour.new)
      clean
      pour(1)
      Paint::Loose.new.whatever(1)
      Wall::Brick.new
    end
  end
  class Side < Wall::Stone
    def run
      made_in_c(1)
    end
  end
end
";
    assert_eq!(
        missing(&Tree::new(WITH_GEMS).write("lib/home/room.rb", text)),
        Vec::<String>::new()
    );
}

#[test]
fn what_installed_gems_lack_is_missing() {
    let text = "\
require 'paint/invented'
module Home
  class Room < Paint::Pot
    def run
      Paint::Pot.stir(1)
      Paint::Faded.new
      scrub_all(1)
    end
  end
end
";
    assert_eq!(
        missing(&Tree::new(WITH_GEMS).write("lib/home/room.rb", text)),
        ["1 module paint/invented", "5 member stir", "6 class Faded", "7 call scrub_all"]
    );
}

#[test]
fn the_gem_that_a_description_names_is_the_workspace_itself() {
    let spec = "--- specifications/shop-1.2.gemspec\nGem::Specification.new do |s|\n  \
        s.name = \"shop\".freeze\n  s.executables = [\"shop\".freeze]\nend\n";
    let tree = Tree::new(&format!("{PROJECT}{spec}"));
    let text =
        "module Shop\n  class Desk\n    def run\n      Shop::Invented.new\n    end\n  end\nend\n";
    assert_eq!(missing(&tree.write("lib/shop/desk.rb", text)), ["4 class Invented"]);
}

#[test]
fn a_package_that_a_class_or_module_requires_is_looked_up() {
    let found = check("module Shop\n  require 'fastmagic'\n  class Desk\n  end\nend\n");
    assert_eq!(found, ["2 package fastmagic"]);
    let guarded = "module Shop\n  require 'fastmagic'\nrescue LoadError\nend\n";
    assert_eq!(check(guarded), [""; 0]);
    let late = "module Shop\n  def self.f\n    require 'fastmagic'\n  end\nend\n";
    assert_eq!(check(late), [""; 0], "what a method requires may never be needed");
}

#[test]
fn a_library_outside_of_lib_is_the_workspaces_own() {
    let tree = Tree::new(
        "--- Gemfile\ngem 'nokogiri'\n--- src/shop.rb\nrequire 'shop/order'\nmodule Shop\nend\n\
         --- src/shop/order.rb\nmodule Shop\n  class Order\n  end\nend\n",
    );
    let text = "require 'shop/order'\nShop::Order.new\nShop::Ordre.new\n";
    assert_eq!(missing(&tree.write("src/shop/desk.rb", text)), ["3 class Ordre"]);
}

#[test]
fn what_a_module_a_macro_or_an_optional_gem_brings_is_not_told() {
    let text = "\
module Shop
  module Countable
    def count_all
      includer_of_it(1)
    end
  end
  class Desk
    def self.attr_atomic(name); end
    attr_atomic :slot
    attr_reader :name
    def sell
      compare_and_set_slot(1)
      name_of_it(1)
    end
  end
  class Railtie < Rails::Railtie
    initializer(:a) { }
  end
  NewRelic::Agent.record(1)
  Shop::Core::Errors::Lost
  I18n.load_path(1)
  if true
  elsif defined?(Jets)
    Jets.use(1)
  end
  ruby_of_it(JRUBY_VERSION)
end
require 'rexml/document'
";
    assert_eq!(check(text), ["13 call name_of_it"]);
}

#[test]
fn a_package_that_is_missing_may_bring_constants() {
    let wire = "class Wire\n  def f\n    [PasswordMessage.new, DataRow.new, ReadyForQuery.new]\n  \
                end\nend\n";
    let text = format!("require 'postgres-pr/message'\n{wire}");
    assert_eq!(check(&text), ["1 package postgres-pr/message"]);
    assert_eq!(check(wire).len(), 3);
}

#[test]
fn a_class_of_a_gem_that_is_opened_again_has_what_the_gem_gives_it() {
    let opened =
        "module Nokogiri\n  class Document\n    def f\n      css_of_it(1)\n    end\n  end\nend\n";
    assert_eq!(check(opened), [""; 0]);
    assert_eq!(check(&opened.replace("Nokogiri", "Shop")), ["4 call css_of_it"]);
}

#[test]
fn where_nothing_declares_packages_none_has_to_be_declared() {
    let tree = Tree::new(
        "--- lib/till.rb\nmodule Till; end\n--- all/specifications/till-1.0.gemspec\n\
         Gem::Specification.new { |s| s.name = 'till' }\n",
    );
    let old = "require 'till'\n";
    let with = |line: &str| format!("{old}{line}\n");
    let new = missing(&tree.write("lib/desk.rb", &with("require 'soap/driver'")));
    assert_eq!(new, [] as [&str; 0]);
    // The first one of a file that had none is told, as is a file of an own library.
    let change = |line: &str| {
        let facts = tree.change(&[("lib/desk.rb", Some(old), Some(&with(line)))]);
        missing(&facts[0])
    };
    assert_eq!(change("require 'soap/driver'"), ["2 package soap/driver"]);
    assert_eq!(change("require 'till/drawer'"), ["2 module till/drawer"]);
}

#[test]
fn what_a_file_mixes_into_every_object_is_not_told() {
    let text = "\
require 'gettext'
include GetText
class Till
  def say = ngettext('a', 'b', 1)
end
";
    assert_eq!(check(text), ["1 package gettext"]);
}

#[test]
fn what_can_be_asked_of_a_class_of_ruby_can_be_set() {
    let text = "\
require 'net/http'
def get(uri)
  http = Net::HTTP.new(uri)
  http.use_ssl = true
  http.use_tls_of_till = true
end
";
    assert_eq!(check(text), ["5 member use_tls_of_till"]);
}

#[test]
fn a_constant_that_an_optional_package_is_called_like_is_not_told() {
    let text = "\
begin
  require 'sys/proctable'
  Sys::ProcTable.ps
rescue LoadError
  nil
end
";
    assert_eq!(check(text), [] as [&str; 0]);
}

#[test]
fn a_file_of_the_own_library_is_missing_though_a_gem_is_called_alike() {
    let tree = Tree::new(
        "--- shop.gemspec\ns.name = 'shop'\ns.add_dependency 'shop-core'\n--- lib/shop.rb\n\
         module Shop\nend\n--- lib/shop/desk.rb\nmodule Shop\nend\n--- ext/shop/extconf.rb\n\
         create_makefile('shop/fast')\n--- lib/autotest/shop.rb\nmodule Autotest\nend\n\
         --- Gemfile\ngem 'autotest-standalone'\n",
    );
    let text = "require 'shop/desk'\nrequire 'shop/core/till'\nrequire 'shop/core'\n\
                require 'shop/fast'\nrequire 'autotest/rspec2'\nrequire 'shop/dsek'\n\
                module Shop\nend\n";
    assert_eq!(missing(&tree.write("lib/shop/main.rb", text)), ["6 module shop/dsek"]);
}

#[test]
fn what_mkmf_brings_is_known() {
    let text =
        "require 'mkmf'\nenable_config('ssl') && have_header('ssl.h')\ncreate_makefile('shop')\n";
    assert_eq!(missing(&Tree::new(PROJECT).write("ext/extconf.rb", text)), [] as [&str; 0]);
}

#[test]
fn a_constant_of_a_module_that_is_assigned_to_a_local_is_looked_up() {
    let project = "--- lib/shop.rb\nmodule Shop\n  class Till\n    SIZE = 1\n  end\nend\n";
    let text = "\
class Desk
  def open
    size = Shop::Till::SIZE
    other = Shop::Till::WIDTH
    Shop::Till::KEPT ||= size
  end
end
";
    assert_eq!(missing(&Tree::new(project).write("lib/desk.rb", text)), ["4 class WIDTH"]);
}

#[test]
fn a_module_that_only_known_classes_include_calls_what_they_have() {
    let project = "\
--- lib/shop.rb
class Order
  include Priced
  def sum; end
end
class Cart
  include Priced
end
class Page < Ledgerly::Stone
  include Paged
end
";
    let tree = Tree::new(project);
    let write = |module: &str, call: &str| {
        let text = format!("module {module}\n  def price\n    {call}(1)\n  end\nend\n");
        missing(&tree.write("lib/mixed.rb", &text))
    };
    assert_eq!(write("Priced", "sum"), [""; 0]);
    assert_eq!(write("Priced", "price"), [""; 0]);
    assert_eq!(write("Priced", "sum_quickly"), ["3 call sum_quickly"]);
    assert_eq!(write("Paged", "sum_quickly"), [""; 0], "the base is not known");
    assert_eq!(write("Lent", "sum_quickly"), [""; 0], "nothing includes it");
}

#[test]
fn what_is_called_like_something_of_a_gem_is_not_what_the_gem_has() {
    let project = "\
--- lib/shop.rb
module Shop
  module Ledgerly
    class Page; end
  end
  class Request < Ledgerly::Request
    def open; end
  end
  class Order; end
end
";
    let tree = Tree::new(project);
    let write = |text: &str| missing(&tree.write("lib/shop/desk.rb", text));
    let inside = |call: &str| format!("module Shop::Stones\n  def run\n    {call}\n  end\nend\n");
    assert_eq!(write(&inside("Stones.pile(1)")), [""; 0]);
    assert_eq!(write(&inside("Request.new.fetch_all(1)")), [""; 0]);
    assert_eq!(write(&inside("::Ledgerly::Leaf.new")), [""; 0]);
    assert_eq!(write(&inside("Order.pile(1)")), ["3 member pile"]);
    assert_eq!(write(&inside("Ledgerly::Leaf.new")), ["3 class Leaf"]);
}

#[test]
fn an_assertion_in_a_class_of_tests_is_no_invention() {
    let tree = Tree::new("--- test/helper.rb\nclass Minitest::Spec\n  def wide; end\nend\n");
    let write = |call: &str| {
        let test = "class HeadersTest < Minitest::Spec\n  def run\n";
        missing(&tree.write("test/headers.rb", &format!("{test}    {call}(1)\n  end\nend\n")))
    };
    assert_eq!(write("assert_empty"), [""; 0]);
    assert_eq!(write("refute_same"), [""; 0]);
    assert_eq!(write("assert_empties"), ["3 call assert_empties"]);
}
