//! Sorted names, each without the prefix that it shares with the name before it.
//!
//! Names of device code are long and alike: the instances of one template differ only in their
//! arguments. In order, each name shares a long prefix with its neighbor.

use wincode::SchemaWrite;

use crate::record::error::RecordError;
use crate::record::input::Input;

/// Maximum number of bytes of the names of one module. Shared prefixes let a small file expand to
/// large names, so hostile files need a limit; real ones stay below a thousandth of it.
const LARGEST_TOTAL: usize = 1 << 30;

/// A name that follows another one.
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct NextName<'name> {
    /// Length of the prefix shared with the name before, in bytes.
    pub(crate) shared: u32,
    /// Text after the shared prefix.
    pub(crate) rest: &'name str,
}

/// Writes names.
#[derive(Debug, Default)]
pub(crate) struct Writer<'name> {
    last: &'name str,
}

impl<'name> Writer<'name> {
    pub(crate) fn write(&mut self, name: &'name str) -> NextName<'name> {
        let mut shared = common_bytes(self.last.as_bytes(), name.as_bytes());
        while !name.is_char_boundary(shared) {
            shared -= 1;
        }
        self.last = name;
        // No name has 4 GiB, but such a name would share nothing.
        let shared = u32::try_from(shared).unwrap_or(0);
        NextName { shared, rest: &name[shared as usize..] }
    }
}

/// Returns the length of the common prefix, which is compared in steps of eight bytes, as names
/// share long prefixes.
fn common_bytes(one: &[u8], other: &[u8]) -> usize {
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    let mut shared = 0;
    for (one, other) in words {
        let differing = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        if differing != 0 {
            return shared + differing.trailing_zeros() as usize / 8;
        }
        shared += 8;
    }
    let rest = one[shared..].iter().zip(&other[shared..]);
    shared + rest.take_while(|(one, other)| one == other).count()
}

/// Reads names that [`Writer`] wrote.
#[derive(Default)]
pub(crate) struct Reader {
    last: String,
    total: usize,
}

impl Reader {
    pub(crate) fn read(&mut self, input: &mut Input<'_>) -> Result<&str, RecordError> {
        let shared: u32 = input.number()?;
        let rest = input.text()?;
        if !self.last.is_char_boundary(shared as usize) {
            return Err(format!("a name shares {shared} bytes with '{}'", self.last));
        }
        self.last.truncate(shared as usize);
        self.last.push_str(rest);
        self.total = self.total.saturating_add(self.last.len());
        if self.total > LARGEST_TOTAL {
            return Err(format!("the names take more than {LARGEST_TOTAL} bytes"));
        }
        Ok(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::format;

    #[test]
    fn names_come_back_whatever_they_share() -> Result<(), Box<dyn std::error::Error>> {
        let names = ["", "_Z1f", "_Z1fi", "_Z1g", "a", "é", "è", "èa", "", "x"];
        let mut writer = Writer::default();
        let written: Vec<_> = names.iter().map(|name| writer.write(name)).collect();
        assert_eq!(written[2], NextName { shared: 4, rest: "i" });
        let bytes = wincode::config::serialize(&written, format())?;
        let mut input = Input::new(&bytes);
        assert_eq!(input.length()?, names.len() as u64);
        let mut reader = Reader::default();
        for name in names {
            assert_eq!(reader.read(&mut input)?, name);
        }
        Ok(())
    }

    #[test]
    fn a_name_shares_all_that_it_can_with_the_one_before_it() {
        let name = "_ZN4weft6kernelILi16EEEvPfé";
        for shared in (0..=name.len()).filter(|&end| name.is_char_boundary(end)) {
            let next = format!("{}x", &name[..shared]);
            let mut writer = Writer::default();
            writer.write(name);
            assert_eq!(writer.write(&next).shared as usize, shared, "{next}");
        }
    }

    /// Each name may share all of the one before it, so a small file can expand to many bytes.
    #[test]
    fn names_that_take_too_much_together_are_refused() -> Result<(), Box<dyn std::error::Error>> {
        let names = [NextName { shared: 0, rest: "abc" }, NextName { shared: 3, rest: "" }];
        let bytes = wincode::config::serialize(&(&names[0], &names[1]), format())?;
        for (before, is_taken) in [(6, true), (5, false), (4, false)] {
            let mut input = Input::new(&bytes);
            let total = LARGEST_TOTAL - before;
            let mut reader = Reader { total, ..Reader::default() };
            assert_eq!(reader.read(&mut input)?, "abc");
            assert_eq!(reader.read(&mut input).is_ok(), is_taken, "{before} bytes are left");
        }
        Ok(())
    }

    #[test]
    fn sharing_more_than_there_is_or_half_a_character_is_refused()
    -> Result<(), Box<dyn std::error::Error>> {
        for (first, shared) in [("ab", 3), ("é", 1)] {
            let first = NextName { shared: 0, rest: first };
            let second = NextName { shared, rest: "" };
            let bytes = wincode::config::serialize(&(first, second), format())?;
            let (mut input, mut reader) = (Input::new(&bytes), Reader::default());
            assert!(reader.read(&mut input).is_ok());
            assert!(reader.read(&mut input).is_err());
        }
        Ok(())
    }
}
