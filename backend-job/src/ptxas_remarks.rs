//! Messages of ptxas that a user should see although ptxas succeeded.
//!
//! ptxas always gets `--verbose`, so its warnings and advice appear between lines about the
//! resources of each function. ptxas knows its input by the name in the action's folder, and users
//! know it by another name.

/// Name of the PTX in the action's folder.
pub(crate) const PTX: &str = "module.ptx";

/// Returns the lines of ptxas's messages without those that `--verbose` adds.
pub(crate) fn remarks(messages: &str) -> impl Iterator<Item = &str> {
    messages.lines().filter(|line| !is_statistics(line))
}

/// Returns the remarks for users: each follows `subject`, the name by which users know the PTX.
pub(crate) fn for_users(messages: &str, subject: &str) -> String {
    let line = |line: &str| {
        let from_here = format!("ptxas {PTX}, line ");
        let text = match line.strip_prefix(&from_here) {
            Some(rest) => format!("ptxas line {rest}"),
            None => line.to_owned(),
        };
        format!("backend-job: {subject}: {}\n", text.trim_end())
    };
    remarks(messages).map(line).collect()
}

/// Whether a line is one of statistics. Advice is none, and has a number, such as `(C7510)`.
fn is_statistics(line: &str) -> bool {
    let has_number = line.contains(": (C");
    let is_info = line.starts_with("ptxas info") && !has_number;
    is_info || line.contains("bytes stack frame") || line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
    256 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas warning : Stack size for entry function 'k' cannot be statically determined

ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized
ptxas module.ptx, line 6; info    : Advisory: another modifier
ptxas info    : Compile time = 2.688 ms
";

    #[test]
    fn warnings_and_advice_are_told_from_statistics_and_name_what_users_know() {
        let expected = "\
backend-job: out/a.ptx: ptxas warning : Stack size for entry function 'k' cannot be statically \
determined
backend-job: out/a.ptx: ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async \
instructions \
are serialized
backend-job: out/a.ptx: ptxas line 6; info    : Advisory: another modifier
";
        assert_eq!(for_users(MESSAGES, "out/a.ptx"), expected);
        assert_eq!(for_users("ptxas info    : 0 bytes gmem\n", "a"), "");
    }
}
