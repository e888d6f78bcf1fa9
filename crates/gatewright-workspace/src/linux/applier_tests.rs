//! The wall around the applying thread, tried from inside.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test tries to write where the thread must not"
)]

use std::fs;
use std::io;

use super::*;

#[test]
fn the_thread_writes_beneath_its_directories_and_nowhere_else() {
    let base = tempfile::tempdir().unwrap();
    let (inside, outside) = (base.path().join("inside"), base.path().join("outside"));
    fs::create_dir(&inside).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("victim.txt"), "victim").unwrap();
    let directory = fs::File::open(&inside).unwrap().into();
    let applier = Applier::start(vec![directory]).unwrap();
    if let LandlockStatus::Unavailable(reason) = applier.status() {
        println!("SKIPPED: no Landlock here: {reason}");
        return;
    }
    let answers = applier.run(move || {
        let moved = fs::create_dir(inside.join("d"))
            .and_then(|()| fs::rename(inside.join("d"), outside.join("d")));
        [
            fs::write(outside.join("new.txt"), "x"),
            fs::write(outside.join("victim.txt"), "x"),
            fs::remove_file(outside.join("victim.txt")),
            fs::create_dir(outside.join("made")),
            moved,
            std::os::unix::fs::symlink("x", inside.join("link")),
            fs::write(inside.join("fine.txt"), "x"),
        ]
    });
    let kinds = answers.unwrap().map(|answer| answer.err().map(|error| error.kind()));
    let denied = |kind: &Option<io::ErrorKind>| {
        matches!(kind, Some(io::ErrorKind::PermissionDenied | io::ErrorKind::CrossesDevices))
    };
    assert!(kinds[..6].iter().all(denied), "{kinds:?}");
    assert_eq!(kinds[6], None);
    assert_eq!(fs::read_to_string(base.path().join("outside/victim.txt")).unwrap(), "victim");
}
