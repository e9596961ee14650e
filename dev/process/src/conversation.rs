//! A process that is talked to: messages go to its standard input and come from its standard
//! output, each with a zero byte at its end.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};

/// Number of waits of 10 ms between the end of a talk and the signal that kills the process.
const PATIENCE: u32 = 500;

/// A running process. It is asked to end, by the end of its input, when this value is dropped, and
/// killed if it does not.
#[derive(Debug)]
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Vec<u8>>,
}

impl Conversation {
    pub(crate) fn new(mut child: Child) -> Self {
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (sender, messages) = channel();
        // A separate thread reads, which allows a timeout on each wait for a message.
        thread::spawn(move || {
            let reader: Box<dyn Read + Send> = match output {
                Some(output) => Box::new(output),
                None => Box::new(std::io::empty()),
            };
            for message in BufReader::new(reader).split(0).map_while(std::result::Result::ok) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, input, messages }
    }

    /// Sends a message.
    pub fn say(&mut self, message: &[u8]) -> Result<()> {
        let input = self.input.as_mut().ok_or_else(|| Error::new("the process has no input"))?;
        let sent = input.write_all(message).and_then(|()| input.write_all(&[0]));
        sent.and_then(|()| input.flush())
            .map_err(|cause| Error::new(format!("the process takes no message: {cause}")))
    }

    /// Waits for the next message. It is an error if none comes in time, or if the process ended.
    pub fn hear(&self, patience: Duration) -> Result<Vec<u8>> {
        self.messages.recv_timeout(patience).map_err(|cause| {
            Error::new(format!("no message of the process in {} s: {cause}", patience.as_secs()))
        })
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.input.take());
        for _ in 0..PATIENCE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Process;

    const SOON: Duration = Duration::from_secs(20);

    #[test]
    fn messages_go_there_and_back_until_the_process_ends() {
        let log = std::env::temp_dir().join(format!("weft-talk-{}", std::process::id()));
        let mut talk = Process::new("cat").quietly().converse(&log).unwrap();
        for message in [b"one".as_slice(), b"", b"two\nlines"] {
            talk.say(message).unwrap();
            assert_eq!(talk.hear(SOON).unwrap(), message);
        }
        let ended = Process::new("sh").args(["-c", "echo no >&2"]).quietly().converse(&log);
        let error = ended.unwrap().hear(SOON).unwrap_err();
        assert!(error.message().contains("no message"), "{error}");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "no\n");
        std::fs::remove_file(log).unwrap();
    }
}
