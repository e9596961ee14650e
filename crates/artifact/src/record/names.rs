//! Sorted names, each without what it shares with the one before it.
//!
//! Names of device code are long and alike: the instances of one template differ in their arguments
//! only. Ordered, each shares most of its start with its neighbour.

use wincode::SchemaWrite;

use crate::record::error::RecordError;
use crate::record::input::Input;

/// The most bytes that the names of one module may take. Sharing lets a small file stand for large
/// names, so a hostile one needs a bound; real ones are below a thousandth of it.
const LARGEST_TOTAL: usize = 1 << 30;

/// A name after another one.
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct NextName<'name> {
    /// How many bytes from the start are those of the name before.
    pub(crate) shared: u32,
    /// The bytes after those.
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
        // A name is shorter than the 4 GiB that this can say; were it not, nothing is shared.
        let shared = u32::try_from(shared).unwrap_or(0);
        NextName { shared, rest: &name[shared as usize..] }
    }
}

/// How many bytes of both are the same from the start: eight at a time, as names share long starts.
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

/// Reads what [`Writer`] wrote.
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
