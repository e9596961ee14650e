//! The canonical messages of an action.
//!
//! A cache knows an action by the digest of a message that names the digests of others, so every
//! client must write the same bytes for the same action: names are in the order of their bytes,
//! lists hold nothing twice, fields with default values are left out, and fields are in the order
//! of their numbers, as prost writes them.

use std::collections::{BTreeMap, BTreeSet};

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::protobuf;
use prost::Message;

use crate::action::RemoteAction;
use crate::content::{Blobs, Content};
use crate::digest::{Digest, DigestFunction};
use crate::error::RemoteError;

/// The properties of the messages that depend on the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Function that makes the digests.
    pub digest_function: DigestFunction,
    /// Whether outputs are named in the field that servers before version 2.1 know.
    pub old_outputs: bool,
}

/// The messages of an action.
#[derive(Clone, Debug)]
pub struct Messages {
    /// Digest of the message Action: the key of the action cache.
    pub action: Digest,
    /// Digest of the message Command.
    pub command: Digest,
    /// Digest of the message Directory for the root that the command runs in.
    pub root: Digest,
    /// Everything that the server must have before it can run the action.
    pub blobs: Blobs,
}

impl Messages {
    /// Makes the messages of `action`.
    pub fn new(action: &RemoteAction, dialect: Dialect) -> Result<Self, RemoteError> {
        let mut blobs = BlobWriter { function: dialect.digest_function, by_digest: Blobs::new() };
        let root = Folder::of_action(action, &mut blobs)?.store(&mut blobs);
        let command = blobs.store(command(action, dialect)?.encode_to_vec());
        let timeout = action.timeout.map(|timeout| protobuf::Duration {
            seconds: i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX),
            nanos: timeout.subsec_nanos().cast_signed(),
        });
        let message = reapi::Action {
            command_digest: Some(command.to_wire()),
            input_root_digest: Some(root.to_wire()),
            timeout,
            do_not_cache: action.do_not_cache,
            salt: action.salt.clone(),
            platform: Some(platform(action)),
        };
        let action = blobs.store(message.encode_to_vec());
        Ok(Self { action, command, root, blobs: blobs.by_digest })
    }
}

fn command(action: &RemoteAction, dialect: Dialect) -> Result<reapi::Command, RemoteError> {
    let variables: BTreeMap<&String, &String> =
        action.environment.iter().map(|(name, value)| (name, value)).collect();
    if variables.len() != action.environment.len() {
        return Err(RemoteError::Action("a variable is set twice".to_owned()));
    }
    let environment_variables = variables
        .into_iter()
        .map(|(name, value)| reapi::command::EnvironmentVariable {
            name: name.clone(),
            value: value.clone(),
        })
        .collect();
    let outputs: BTreeSet<&String> = action.outputs.iter().collect();
    for output in &outputs {
        names(output)?;
    }
    let outputs: Vec<String> = outputs.into_iter().cloned().collect();
    let (output_files, output_paths) =
        if dialect.old_outputs { (outputs, vec![]) } else { (vec![], outputs) };
    #[expect(
        deprecated,
        reason = "servers before 2.1 read output_files, and before 2.2 this platform"
    )]
    Ok(reapi::Command {
        arguments: action.arguments.clone(),
        environment_variables,
        output_files,
        output_paths,
        platform: Some(platform(action)),
        ..reapi::Command::default()
    })
}

/// Returns the properties, ordered by name and value. Without any, the message is empty but
/// present, as Bazel writes it; the digest of an absent one differs.
fn platform(action: &RemoteAction) -> reapi::Platform {
    let properties: BTreeSet<(&String, &String)> =
        action.platform.iter().map(|(name, value)| (name, value)).collect();
    let properties: Vec<_> = properties
        .into_iter()
        .map(|(name, value)| reapi::platform::Property { name: name.clone(), value: value.clone() })
        .collect();
    reapi::Platform { properties }
}

/// Collects the contents that a server must have.
struct BlobWriter {
    function: DigestFunction,
    by_digest: Blobs,
}

impl BlobWriter {
    fn store(&mut self, content: impl Into<Content>) -> Digest {
        let content = content.into();
        let digest = content.digest(self.function);
        self.by_digest.insert(digest, content);
        digest
    }
}

/// A folder of the root. The maps are in the order that the protocol requires.
#[derive(Default)]
struct Folder {
    files: BTreeMap<String, (Digest, bool)>,
    folders: BTreeMap<String, Folder>,
    links: BTreeMap<String, String>,
}

impl Folder {
    fn of_action(action: &RemoteAction, blobs: &mut BlobWriter) -> Result<Self, RemoteError> {
        let mut root = Self::default();
        for input in &action.inputs {
            let digest = blobs.store(input.content.clone());
            let (folder, name) = root.parent_of(&input.path)?;
            if folder.has(name) {
                return Err(taken_twice(&input.path));
            }
            folder.files.insert(name.to_owned(), (digest, input.executable));
        }
        for (path, target) in &action.symlinks {
            let (folder, name) = root.parent_of(path)?;
            if folder.has(name) {
                return Err(taken_twice(path));
            }
            folder.links.insert(name.to_owned(), target.clone());
        }
        for path in &action.directories {
            root.folder(&names(path)?, path)?;
        }
        Ok(root)
    }

    /// Returns the folder of `path`, which is created if it is missing, and the name in it.
    fn parent_of<'path>(
        &mut self,
        path: &'path str,
    ) -> Result<(&mut Self, &'path str), RemoteError> {
        let names = names(path)?;
        let (name, parents) = names.split_last().ok_or_else(|| taken_twice(path))?;
        Ok((self.folder(parents, path)?, name))
    }

    fn folder(&mut self, names: &[&str], path: &str) -> Result<&mut Self, RemoteError> {
        let Some((name, rest)) = names.split_first() else { return Ok(self) };
        if self.files.contains_key(*name) || self.links.contains_key(*name) {
            return Err(taken_twice(path));
        }
        self.folders.entry((*name).to_owned()).or_default().folder(rest, path)
    }

    fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
            || self.folders.contains_key(name)
            || self.links.contains_key(name)
    }

    /// Stores this folder and everything below it, and returns its digest.
    fn store(self, blobs: &mut BlobWriter) -> Digest {
        let files = self.files.into_iter().map(|(name, (digest, is_executable))| {
            let digest = Some(digest.to_wire());
            reapi::FileNode { name, digest, is_executable, node_properties: None }
        });
        let symlinks = self.links.into_iter().map(|(name, target)| reapi::SymlinkNode {
            name,
            target,
            node_properties: None,
        });
        let (files, symlinks) = (files.collect(), symlinks.collect());
        let directories = self
            .folders
            .into_iter()
            .map(|(name, folder)| {
                let digest = Some(folder.store(blobs).to_wire());
                reapi::DirectoryNode { name, digest }
            })
            .collect();
        let message = reapi::Directory { files, directories, symlinks, node_properties: None };
        blobs.store(message.encode_to_vec())
    }
}

/// Splits a path into names. A path that leaves the root or has other spellings is an error.
fn names(path: &str) -> Result<Vec<&str>, RemoteError> {
    let names: Vec<&str> = path.split('/').collect();
    let is_plain = |name: &&str| !["", ".", ".."].contains(name) && !name.contains('\0');
    if names.iter().all(is_plain) {
        return Ok(names);
    }
    Err(RemoteError::Action(format!("{path:?} is not a relative path of plain names")))
}

fn taken_twice(path: &str) -> RemoteError {
    RemoteError::Action(format!("{path:?} is, or lies below, another input"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::RemoteInput;

    fn input(path: &str) -> RemoteInput {
        RemoteInput {
            path: path.to_owned(),
            content: b"content".as_slice().into(),
            executable: false,
        }
    }

    fn messages(action: &RemoteAction) -> Messages {
        Messages::new(action, Dialect::default()).unwrap()
    }

    fn action(inputs: &[&str]) -> RemoteAction {
        let inputs = inputs.iter().map(|path| input(path)).collect();
        RemoteAction { arguments: vec!["tool".to_owned()], inputs, ..RemoteAction::default() }
    }

    #[test]
    fn order_does_not_matter_and_everything_else_does() {
        let one = messages(&action(&["a/b", "a/c", "d"]));
        assert_eq!(one.action, messages(&action(&["d", "a/c", "a/b"])).action);
        // The root, the folder a, the content, the command and the action.
        assert_eq!(one.blobs.len(), 5);
        let base = action(&["a/b"]);
        let pair = || vec![("x".to_owned(), "y".to_owned())];
        let changed = [
            RemoteAction { arguments: vec!["other".to_owned()], ..base.clone() },
            RemoteAction { environment: pair(), ..base.clone() },
            RemoteAction { platform: pair(), ..base.clone() },
            RemoteAction { symlinks: pair(), ..base.clone() },
            RemoteAction { directories: vec!["e".to_owned()], ..base.clone() },
            RemoteAction { outputs: vec!["o".to_owned()], ..base.clone() },
            RemoteAction { timeout: Some(std::time::Duration::from_millis(1)), ..base.clone() },
            RemoteAction { do_not_cache: true, ..base.clone() },
            RemoteAction { salt: vec![1], ..base.clone() },
            RemoteAction {
                inputs: vec![RemoteInput { executable: true, ..input("a/b") }],
                ..base.clone()
            },
            action(&["a/c"]),
        ];
        let mut digests: BTreeSet<Digest> =
            changed.iter().map(|action| messages(action).action).collect();
        digests.insert(messages(&base).action);
        assert_eq!(digests.len(), changed.len() + 1);
    }

    #[test]
    fn impossible_actions_are_refused() {
        for path in ["", "/a", "a//b", "../a", "a/.", "a/\0"] {
            let text = Messages::new(&action(&[path]), Dialect::default()).unwrap_err().to_string();
            let expected = format!(
                "not a possible remote action: {path:?} is not a relative path of plain names"
            );
            assert_eq!(text, expected);
        }
        for paths in [&["a", "a"], &["a", "a/b"], &["a/b", "a"]] {
            assert!(Messages::new(&action(paths), Dialect::default()).is_err());
        }
    }
}
