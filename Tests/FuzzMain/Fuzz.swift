import FoundationEssentials
import FuzzMemory
import FuzzTargets
import Glibc

/// The fuzz target that LIVEEDIT_FUZZ_TARGET names, as called by libFuzzer. If LIVEEDIT_FUZZ_SEEDS names folders
/// (separated by colons; the first is written to), the target's seeds and dictionary are written and nothing is run:
/// see Tests/Long/damage/fuzz.
private let target: FuzzTarget = {
  guard let name = ProcessInfo.processInfo.environment["LIVEEDIT_FUZZ_TARGET"],
    let target = FuzzTarget.named(name)
  else {
    fatalError("LIVEEDIT_FUZZ_TARGET names none of: " + FuzzTarget.all.map(\.name).joined(separator: " "))
  }
  return target
}()

/// Prepares the run: lists the targets or writes seeds if the environment requests it.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  let environment = ProcessInfo.processInfo.environment
  if environment["LIVEEDIT_FUZZ_LIST"] != nil {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(0)
  }
  if let folders = environment["LIVEEDIT_FUZZ_SEEDS"]?.split(separator: ":").map(String.init),
    let output = folders.first
  {
    for (number, seed) in target.seeds(below: Array(folders.dropFirst())).enumerated() {
      _ = FileManager.default.createFile(atPath: output + "/seed-\(number)", contents: Data(seed))
    }
    let lines = target.words.filter { !$0.isEmpty }.map { word in
      "\""
        + word.utf8.map { byte in
          let digits = String(byte, radix: 16)
          return "\\x" + (digits.count < 2 ? "0" : "") + digits
        }.joined() + "\"\n"
    }
    _ = FileManager.default.createFile(atPath: output + ".dict", contents: Data(lines.joined().utf8))
    exit(0)
  }
  liveedit_memory_watch()
  return 0
}

/// Runs the target on one input and measures its memory use.
@_cdecl("LLVMFuzzerTestOneInput")
public func runInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  liveedit_memory_begin()
  target.run(input)
  let peak = Int(liveedit_memory_peak())
  guard peak <= target.memory(of: input) else {
    fatalError("broken promise: \(peak) bytes of memory for \(count)")
  }
  return 0
}
