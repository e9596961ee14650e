//! A thread: its frames, its own memory, and why it does not run.

use super::shared::Shared;
use crate::code::{Source, Special};

/// Byte of memory that nothing has written.
pub(super) const UNWRITTEN: u8 = 0xA5;
/// Number of threads of a warp.
pub(super) const LANES: u32 = 32;

/// A call that has not returned.
pub(super) struct Frame {
    pub(super) function: usize,
    /// Position of the next instruction.
    pub(super) position: usize,
    pub(super) registers: Vec<u64>,
    /// Start of the frame's parameters in the local memory: the address of a parameter, which code
    /// may take, is a local one.
    pub(super) parameters: u64,
    /// Start of the frame's local memory.
    pub(super) local: u64,
    /// Places where the caller wants the results.
    pub(super) results: Vec<ResultPlace>,
}

/// Place where a caller wants a result: in its parameters, or in a register.
#[derive(Clone, Debug)]
pub(super) enum ResultPlace {
    Memory(u64),
    Register(usize),
}

/// Whether a thread can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Ready,
    /// At a barrier of the block with this number, for so many threads, or for all.
    AtBarrier(u64, Option<u64>),
    /// At an instruction that several threads of the warp run together.
    AtWarp,
    Ended,
}

/// A thread.
pub(super) struct Thread {
    /// Number in the block.
    pub(super) number: u32,
    pub(super) position: [u32; 3],
    pub(super) frames: Vec<Frame>,
    /// Local memory, with the parameters of all frames.
    pub(super) local: Vec<u8>,
    pub(super) carry: bool,
    pub(super) state: State,
}

impl Thread {
    pub(super) fn lane(&self) -> u32 {
        self.number % LANES
    }

    pub(super) fn warp(&self) -> u32 {
        self.number / LANES
    }

    /// Returns the function and position of the next instruction.
    pub(super) fn place(&self) -> (usize, usize) {
        self.frames.last().map_or((usize::MAX, 0), |frame| (frame.function, frame.position))
    }

    /// Writes a register of the running function.
    pub(super) fn set(&mut self, target: Option<usize>, value: u64) {
        if let (Some(register), Some(frame)) = (target, self.frames.last_mut()) {
            frame.registers[register] = value;
        }
    }

    /// Advances to the thread's next instruction.
    pub(super) fn advance(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.position += 1;
        }
    }

    /// Returns a value that an instruction reads.
    pub(super) fn value(&self, source: Source, shared: &Shared<'_>) -> u64 {
        let Some(frame) = self.frames.last() else { return 0 };
        match source {
            Source::Constant(value) => value,
            Source::Register(register) => frame.registers[register],
            Source::Not(register) => frame.registers[register] & 1 ^ 1,
            Source::Special(special) => self.special(special, shared),
            Source::Local(offset) => frame.local + offset,
            Source::Parameter(offset) => frame.parameters + offset,
        }
    }

    fn special(&self, special: Special, shared: &Shared<'_>) -> u64 {
        let lane = self.lane();
        let below = (1_u64 << lane) - 1;
        match special {
            Special::Thread(axis) => u64::from(self.position[axis]),
            Special::Threads(axis) => u64::from(shared.threads[axis]),
            Special::Block(axis) => u64::from(shared.block[axis]),
            Special::Blocks(axis) => u64::from(shared.blocks[axis]),
            Special::Lane => u64::from(lane),
            Special::Warp => u64::from(self.warp()),
            Special::Warps => {
                shared.threads.iter().map(|size| u64::from(*size)).product::<u64>().div_ceil(32)
            }
            Special::LanesEqual => 1 << lane,
            Special::LanesBelow => below,
            Special::LanesBelowOrEqual => below | 1 << lane,
            Special::LanesAbove => 0xFFFF_FFFF & !(below | 1 << lane),
            Special::LanesAboveOrEqual => 0xFFFF_FFFF & !below,
            Special::Clock => *shared.steps,
            Special::DynamicSharedBytes => u64::from(shared.dynamic_bytes),
            Special::SharedBytes => shared.memory.len() as u64,
            Special::Zero => 0,
            Special::One => 1,
        }
    }
}
