//! Reads the launch bounds of kernels from the output of `cuobjdump -elf`: a line `.nv.info.NAME`,
//! then, among other attributes of the kernel, `EIATTR_MAX_THREADS` or `EIATTR_REQNTID` with the
//! sizes of a block along each axis.

use std::collections::BTreeMap;

/// A reader that takes lines in their order and returns the launch bounds at the end.
#[derive(Default)]
pub(super) struct Reader {
    kernel: Option<String>,
    is_of_threads: bool,
    threads: BTreeMap<String, u64>,
}

impl Reader {
    /// Takes the next line.
    pub(super) fn line(&mut self, line: &str) {
        if line.starts_with('.') {
            self.kernel = line.strip_prefix(".nv.info.").map(|name| name.trim().to_owned());
        } else if let Some(attribute) = line.trim().strip_prefix("Attribute:") {
            self.is_of_threads =
                ["EIATTR_MAX_THREADS", "EIATTR_REQNTID"].contains(&attribute.trim());
        } else if let Some(value) = line.trim().strip_prefix("Value:")
            && std::mem::take(&mut self.is_of_threads)
            && let Some(kernel) = &self.kernel
            && let Some(threads) = product(value)
        {
            self.threads.insert(kernel.clone(), threads);
        }
    }

    /// Returns the threads of a block by kernel, for the kernels with launch bounds.
    pub(super) fn threads(self) -> BTreeMap<String, u64> {
        self.threads
    }
}

/// Multiplies hexadecimal numbers.
fn product(numbers: &str) -> Option<u64> {
    let numbers = numbers.split_whitespace();
    let mut numbers =
        numbers.map(|number| u64::from_str_radix(number.strip_prefix("0x")?, 16).ok());
    numbers.try_fold(1, |product: u64, number| product.checked_mul(number?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launch_bounds_are_found() {
        let text = "
.nv.info
\t<0x1>
\tAttribute:\tEIATTR_MAX_THREADS
\tFormat:\tEIFMT_SVAL
\tValue:\t0x8 0x1 0x1\x20
.nv.info._Z4nestPfPKfii
\t<0x6>
\tAttribute:\tEIATTR_CRS_STACK_SIZE
\tFormat:\tEIFMT_SVAL
\tValue:\t0x0\x20
\t<0x7>
\tAttribute:\tEIATTR_MAX_THREADS
\tFormat:\tEIFMT_SVAL
\tValue:\t0xc0 0x2 0x1\x20
\t<0x8>
\tAttribute:\tEIATTR_EXIT_INSTR_OFFSETS
\tFormat:\tEIFMT_SVAL
\tValue:\t0x480\x20
.nv.info.other
\tAttribute:\tEIATTR_MAXREG_COUNT
\tValue:\t0xff
";
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.line(line));
        assert_eq!(reader.threads(), [("_Z4nestPfPKfii".to_owned(), 384)].into());
    }
}
