//! The options that users hand to ptxas, and the files that they name.
//!
//! ptxas runs in a folder that holds the action's inputs, so a file that an option names must
//! become one of these inputs. Then the key covers its content, and other machines receive it. Two
//! options are known to name files that are read. Any other value that looks like the name of a
//! file is refused, since ptxas could find the file by an absolute name without its content being
//! in the key.

use std::path::Path;

use weft_cli::{Fault, failure, files};

/// Options whose value is a list of files with more options.
const OPTION_FILES: [&str; 2] = ["--options-file", "-optf"];

/// Options whose value is a file with controls of the compiler.
const CONTROL_FILES: [&str; 2] = ["--apply-controls", "-apply-controls"];

/// Options that ptxas cannot get from users, by their long and short names without dashes, each
/// with the reason and the remedy.
const TAKEN: [(&str, &str, &str); 8] = [
    ("output-file", "o", "Weft names the file itself: name the output with -o of this command"),
    ("gpu-name", "arch", "give --arch to this command"),
    ("input-as-string", "ias", "ptxas gets the module's PTX and no other"),
    ("entry", "e", "ptxas would leave out kernels: leave them out with thinlink's --kernels-used"),
    ("help", "h", ONLY_ANSWERS),
    ("version", "V", ONLY_ANSWERS),
    ("list-arch", "arch-ls", ONLY_ANSWERS),
    ("list-version", "version-ls", ONLY_ANSWERS),
];

/// Reason against options that only ask.
const ONLY_ANSWERS: &str = "ptxas would answer, and assemble nothing: ask ptxas itself";

/// Options for ptxas, and the files that they name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PassedOptions {
    /// The options, with files named as they are in the action's folder.
    pub(crate) words: Vec<String>,
    /// Names and contents of the files in the action's folder.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// Reads the files that `options` name.
pub(crate) fn read_files(options: &[String]) -> anyhow::Result<PassedOptions> {
    let mut passed = PassedOptions::default();
    let mut rest = options.iter();
    while let Some(word) = rest.next() {
        let (option, attached) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), None),
        };
        if let Some(reason) = taken(option) {
            return Err(failure(Fault::Usage, format!("--Xptxas: {option} is refused: {reason}")));
        }
        if !names_files(option) {
            refuse_path(word)?;
            passed.words.push(word.clone());
            continue;
        }
        let value = attached.or_else(|| rest.next().map(String::as_str));
        let value = value.filter(|value| !value.is_empty()).ok_or_else(|| {
            failure(Fault::Usage, format!("--Xptxas: {option} takes a file, and none follows"))
        })?;
        let has_options = OPTION_FILES.contains(&option);
        // Options for files of options take a list of names.
        let paths = if has_options { value.split(',').collect() } else { vec![value] };
        for path in paths {
            let content = files::read(Path::new(path))?;
            if has_options {
                refuse_nested(path, &content)?;
            }
            let name = format!("ptxas-options/{}", passed.files.len());
            passed.words.push(format!("{option}={name}"));
            passed.files.push((name, content));
        }
    }
    Ok(passed)
}

fn names_files(option: &str) -> bool {
    OPTION_FILES.contains(&option) || CONTROL_FILES.contains(&option)
}

/// Reason for which users cannot give `option`, if they cannot.
fn taken(option: &str) -> Option<&'static str> {
    let name = option.strip_prefix("--").or_else(|| option.strip_prefix('-'))?;
    let known = TAKEN.into_iter().find(|(long, short, _)| [*long, *short].contains(&name));
    known.map(|(.., reason)| reason)
}

/// Refuses an option that names a file although it is not known to name one.
fn refuse_path(word: &str) -> anyhow::Result<()> {
    if !word.contains('/') {
        return Ok(());
    }
    let message = format!(
        "--Xptxas: '{word}' names a file, which would be read or written unseen; ptxas gets files \
         by --options-file and --apply-controls alone"
    );
    Err(failure(Fault::Usage, message))
}

/// Refuses a file of options whose words name further files, which would not be in the key.
fn refuse_nested(path: &str, content: &[u8]) -> anyhow::Result<()> {
    // Quotes and escapes may occur inside a word, but are not part of it.
    let text = String::from_utf8_lossy(content).replace(['"', '\'', '\\'], "");
    for word in text.split_whitespace() {
        let option = word.split_once('=').map_or(word, |(option, _)| option);
        if let Some(reason) = taken(option) {
            let message = format!("{path}: {option} is refused: {reason}");
            return Err(failure(Fault::Usage, message));
        }
        if names_files(option) || word.contains('/') {
            let message = format!(
                "{path}: it names a file itself: '{word}'; give that to ptxas by --Xptxas, where \
                 it is an input"
            );
            return Err(failure(Fault::Usage, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(words: &[&str]) -> anyhow::Result<PassedOptions> {
        read_files(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn files_become_inputs_and_other_options_stay() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name).display().to_string());
        std::fs::write(&one, "-O1")?;
        std::fs::write(&two, "\"--maxrregcount=32\"")?;
        let list = format!("--options-file={one},{two}");
        let passed = passed(&["-O2", &list, "-apply-controls", &two, "-v"])?;
        let expected = [
            "-O2",
            "--options-file=ptxas-options/0",
            "--options-file=ptxas-options/1",
            "-apply-controls=ptxas-options/2",
            "-v",
        ];
        assert_eq!(passed.words, expected);
        let contents: Vec<_> = passed.files.iter().map(|(_, content)| content.len()).collect();
        assert_eq!(contents, [3, 19, 19]);
        Ok(())
    }

    #[test]
    fn options_that_weft_gives_itself_are_refused_by_name() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("options").display().to_string();
        for (long, short, reason) in TAKEN {
            let words = [format!("--{long}"), format!("-{short}"), format!("--{long}=x")];
            for word in words {
                let option = word.split('=').next().unwrap_or_default();
                let message = format!("{option} is refused: {reason}");
                let error = passed(&[&word]).expect_err(&word);
                assert!(error.to_string().contains(&message), "{error}");
                std::fs::write(&path, format!("-O2 {word} y"))?;
                let error = passed(&["-optf", &path]).expect_err(&word);
                assert!(error.to_string().contains(&message), "{error}");
            }
        }
        // Names that only begin alike.
        passed(&["--opt-level=2", "-O2", "--verbose2", "-v", "-c", "-ewp"])?;
        Ok(())
    }

    #[test]
    fn what_would_be_read_unseen_is_refused() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("options").display().to_string();
        for content in ["-optf=x", "--options-file x", "'/x'", "-o=\"../x\"", "\\-optf x"] {
            std::fs::write(&path, content)?;
            assert!(passed(&["-optf", &path]).is_err(), "{content}");
        }
        for words in [&["/x"][..], &["--some", "a/b"], &["-optf"], &["--options-file="]] {
            assert!(passed(words).is_err(), "{words:?}");
        }
        Ok(())
    }
}
