//! Python: packages that are not installed, and whose names are listed.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- requirements.txt
django
requests
click
--- till.py
from requests import brand_new_name
import click.brand_new_module
class Till: pass
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("desk.py", text))
}

#[test]
fn what_a_listed_package_defines_is_quiet() {
    let text = "\
import click
import requests as http
import requests.adapters
from requests import Session, brand_new_name
from django.conf import settings
from django.db import models
from django.db.models import Model, QuerySet
import click.brand_new_module
import django.utils._private
try:
    from requests import never_there
except ImportError:
    never_there = None
class Coin(models.Model):
    def work(self):
        self.coin_set.all()
        self.get_size_display()
class Own(Session):
    def work(self):
        self.mount('', None)
        return self.own_field
    own_field = 1
def work(session: Session):
    http.get('').anything()
    http.adapters.HTTPAdapter(1)
    requests.adapters.HTTPAdapter
    settings.OWN_SETTING
    Coin.objects.anything
    session.close()
    Session().mount
    session.closed_by_hand = 1
    return click.echo, QuerySet.as_manager, requests._inner
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_no_version_of_a_listed_package_defines_is_missing() {
    let text = "\
import requests as http
import requests.adapterz
from requests import Sessionz
from requests.sessions import Session, fetch_sessions
from django.db import modelz
from django.utils.textual import slugify
class Own(Session):
    def work(self):
        self.mountains()
def work(session: Session):
    session.close_everything()
    Session().mountz()
    Session.by_hand()
    return http.echoes()
";
    let expected = [
        "2 module requests.adapterz",
        "3 import Sessionz",
        "4 import fetch_sessions",
        "5 import modelz",
        "6 module django.utils.textual",
        "9 member mountains",
        "11 member close_everything",
        "12 member mountz",
        "13 member by_hand",
        "14 attribute echoes",
    ];
    let found = check(text);
    let found: Vec<&str> = found.iter().map(|it| it.split(" [").next().unwrap()).collect();
    assert_eq!(found, expected);
}
