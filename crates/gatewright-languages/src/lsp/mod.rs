//! Language servers: found, started, asked, and never believed without a look.
//!
//! Pure parts first: [`frame`] and [`message`] (the wire), [`position`] and
//! [`edits`] (places and changes), [`session`] with [`documents`] and [`signs`]
//! (the state of one conversation), [`catalogue`] (what is known of each
//! server), [`verify`], [`names`] and [`clash`] (what a rename must be).
//! [`client`] carries a session over a [`client::Link`] that also tells the
//! time; [`rename`](mod@rename), [`witness`] and [`questions`] are asked
//! through it; [`without`] is what can be said when there is none. IO is in [`io`]
//! and, in a process of its own, in [`keeper`]; [`servers`] is the set of a workspace.
//! [`question`] is all that is ever asked of them, [`desk`] how another process asks
//! the set of this one, and [`asking`] the choice between that set and one's own.

pub mod asking;
pub mod catalogue;
pub mod clash;
pub mod client;
pub mod desk;
pub mod documents;
pub mod edits;
pub mod frame;
pub mod io;
pub mod keeper;
pub mod message;
pub mod names;
pub mod position;
pub mod project;
pub mod question;
pub mod questions;
pub mod rename;
pub mod running;
pub mod servers;
pub mod session;
pub mod signs;
pub mod sync;
pub mod uri;
pub mod verify;
pub mod without;
pub mod witness;
