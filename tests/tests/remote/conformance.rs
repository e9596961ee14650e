//! The messages of the client equal, byte for byte, those of other programs for the same action: of
//! a real Bazel, and of buildbox, which writes the directories that an action makes.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use weft_remote::digest::{Digest, DigestFunction};
use weft_remote::messages::{Dialect, Messages};
use weft_remote::{RemoteAction, RemoteInput};
use weft_tests::{Casd, RealServer, Run};

use crate::support::{connect, execute, executor, file, script};

const TOOL: &str = "#!/bin/sh\nset -e\nfor out in \"$@\"; do echo made > \"$out\"; done\n";
/// The dialect of Bazel 4, which names outputs in the field of version 2.0.
const BAZEL: Dialect = Dialect { digest_function: DigestFunction::Sha256, old_outputs: true };

fn has(files: &[PathBuf], digest: Digest) -> bool {
    let hash = digest.hex();
    files.iter().any(|path| path.to_string_lossy().replace('/', "").ends_with(&hash))
}

/// Returns a name as Bazel 4 sends it, which takes each byte of a name for a character.
fn mangled(name: &str) -> String {
    name.bytes().map(char::from).collect()
}

/// Returns an input, which Bazel 4 always marks as executable.
fn input(path: &str, content: &[u8]) -> RemoteInput {
    RemoteInput { path: mangled(path), content: content.into(), executable: true }
}

fn case(name: &str, outputs: &[&str]) -> RemoteAction {
    let outputs = outputs.iter().map(|out| format!("bazel-out/k8-fastbuild/bin/{name}.{out}"));
    let outputs: Vec<String> = outputs.collect();
    RemoteAction {
        arguments: std::iter::once("tools/tool.sh".to_owned()).chain(outputs.clone()).collect(),
        inputs: vec![input("tools/tool.sh", TOOL.as_bytes())],
        outputs,
        ..RemoteAction::default()
    }
}

const SOURCES: [(&str, &[u8]); 5] = [
    ("empty.txt", b""),
    ("däta/ünïcode.txt", "ünï\n".as_bytes()),
    ("däta/a/b/c/d/e/f/g/h/deep.txt", b"deep\n"),
    // In the order of bytes, one of these names is before and one after the folder `a`.
    ("däta/a.txt", b"a dot\n"),
    ("däta/a0", b"a nought\n"),
];

fn workspace(folder: &Path) {
    let write = |path: &str, content: &[u8]| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    write("WORKSPACE", b"workspace(name = \"conformance\")\n");
    write("BUILD", include_bytes!("bazel/BUILD.in"));
    write("rules.bzl", include_bytes!("bazel/rules.bzl"));
    write("tools/tool.sh", TOOL.as_bytes());
    Run::new("chmod", folder).args(["+x", "tools/tool.sh"]).succeed();
    for (path, content) in SOURCES {
        write(path, content);
    }
}

#[test]
fn messages_are_those_of_bazel() {
    let server = RealServer::start(Casd::Older);
    let folder = TempDir::with_prefix("weft-test-bazel-").unwrap();
    let (root, path) = (folder.path().join("root"), folder.path().join("workspace"));
    workspace(&path);
    Run::new("bazel", &path)
        .args(["--nohome_rc", "--batch", "--host_jvm_args=-XX:TieredStopAtLevel=1"])
        .arg(format!("--output_user_root={}", root.display()))
        .args(["build", "--spawn_strategy=remote", "--color=no", "--curses=no", "--jobs=2"])
        .arg(format!("--remote_executor={}", server.url()))
        .arg("//...")
        // Java reads names of files by the locale, and some of these are not ASCII.
        .variable("LC_ALL", "C.UTF-8")
        .succeed();
    // Bazel write-protects its outputs.
    Run::new("chmod", folder.path()).args(["-R", "u+w", "root"]).succeed();
    let mut files = case("files", &["b", "a", "z/y"]);
    files.inputs.extend(SOURCES.map(|(path, content)| input(path, content)));
    let pairs = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    files.environment = pairs(&[("Z", "1"), ("EMPTY", ""), ("A", "two words")]);
    files.platform = pairs(&[("b", "2"), ("a", "1")]);
    let uncached = RemoteAction { do_not_cache: true, ..case("uncached", &["out"]) };
    let stored = server.blobs();
    for action in [case("plain", &["out"]), files, uncached] {
        let messages = Messages::new(&action, BAZEL).unwrap();
        for (what, digest) in
            [("root", messages.root), ("command", messages.command), ("action", messages.action)]
        {
            let name = &action.outputs[0];
            assert!(has(&stored, digest), "{name}: {what} {digest} is not what Bazel has sent");
        }
    }
}

/// Encodes a field of a message: its number and kind in one byte, the length and the content.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = content.len();
    while length > 127 {
        bytes.push(u8::try_from(length & 127).unwrap() | 128);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    bytes.extend_from_slice(content);
    bytes
}

/// Links, empty folders and files that are not executable cannot be expressed with Bazel 4, so they
/// are compared with the messages that buildbox makes of a folder that an action has filled.
#[test]
fn directories_are_those_of_buildbox() {
    let tree = RemoteAction {
        inputs: vec![
            file("plain", b"content\n"),
            RemoteInput { executable: true, ..file("tool", b"run me\n") },
            file("empty-file", b""),
            file("ä/ö ü/ß", b"unicode\n"),
            file("1/2/3/4/5/6/7/8/9/deep", b"deep\n"),
        ],
        directories: vec!["void".to_owned(), "half/void".to_owned()],
        symlinks: [("a-link", "plain"), ("ä/up", "../half/void"), ("dangling", "no/where")]
            .map(|(path, target)| (path.to_owned(), target.to_owned()))
            .into(),
        ..RemoteAction::default()
    };
    let messages = Messages::new(&tree, Dialect::default()).unwrap();
    let mut maker = script(
        "set -e; umask 022; mkdir -p tree/void tree/half/void 'tree/ä/ö ü' tree/1/2/3/4/5/6/7/8/9; \
         cd tree; echo content > plain; echo 'run me' > tool; chmod +x tool; : > empty-file; \
         echo unicode > 'ä/ö ü/ß'; echo deep > 1/2/3/4/5/6/7/8/9/deep; ln -s plain a-link; \
         ln -s ../half/void 'ä/up'; ln -s no/where dangling",
        b"",
    );
    maker.outputs = vec!["tree".to_owned()];
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        // The client expects files, so it refuses a folder as an output.
        let error = execute(&connect(&executor(&server.url())), &maker).unwrap_err();
        assert!(error.to_string().contains("tree"), "{error}");
        // A message Tree holds the root as field 1 and every other directory as field 2.
        let root = field(1, &messages.blobs[&messages.root].load().unwrap());
        let trees: Vec<Vec<u8>> = server
            .blobs()
            .iter()
            // Files that the server is still writing get another name a moment later.
            .filter_map(|path| std::fs::read(path).ok())
            .filter(|content| content.starts_with(&root))
            .collect();
        assert_eq!(trees.len(), 1, "{casd:?} has another root than we do");
        // The remaining blobs of the client are neither content, nor the root, nor the command.
        let contents: Vec<_> =
            tree.inputs.iter().map(|input| input.content.load().unwrap()).collect();
        let others = [messages.root, messages.command, messages.action];
        let mut directories = 0;
        for (digest, content) in &messages.blobs {
            let content = content.load().unwrap();
            if others.contains(digest) || contents.contains(&content) {
                continue;
            }
            let child = field(2, &content);
            assert!(trees[0].windows(child.len()).any(|part| part == child), "{casd:?} {digest}");
            directories += 1;
        }
        assert!(directories >= 12, "{directories}");
    }
}
