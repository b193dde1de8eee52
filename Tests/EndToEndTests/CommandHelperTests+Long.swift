import Foundation
import TestSupport
import Testing

extension CommandHelperTests {
  @Test(arguments: Cases.chosen(commands) { index, _ in index % 3 == 1 })
  func aHelperThatHangsIsEndedAndNamed(_ command: String) throws {
    let others = ["read line; exec sleep 1000", "trap '' TERM; while :; do :; done"]
    for script in ["kill -STOP $$"] + (command == Self.commands[0] ? others : []) {
      try replaceHelper(script)
      let output = try run(command, timeout: "0.5")
      #expect(output.status == 1)
      #expect(
        output.standardError.contains("liveedit-render did not answer for 0.5 s and was stopped"),
        "\(output.standardError)")
      #expect(try survivors() == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
    }
  }

  @Test func aHelperThatSaysThatItWorksIsWaitedFor() throws {
    let real = Command.programs.appendingPathComponent("liveedit-render").path
    try replaceHelper(
      "for i in 1 2 3 4 5 6 7; do sleep 0.5; echo '{\"working\":{}}'; done; exec '\(real)'")
    let output = try run(Self.commands[0], timeout: "3")
    #expect(output.status == 0, "\(output.standardError)")
  }

  /// The helper reports progress while it works. This job takes longer than a second on any machine.
  @Test func theHelperSaysThatItWorks() throws {
    let movie = folder.file("long.mkv")
    try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480:rate=50:duration=24", "-c:v",
      "mpeg4",
      movie.path)
    let job = """
      {"convert":{"_0":{"movie":{"_0":{"source":"\(movie.path)","output":"\(folder.file("long.mov").path)","container":"mov"}}}}}

      """
    let input = Pipe()
    let helper = try Child(
      [Command.programs.appendingPathComponent("liveedit-render").path],
      input: .descriptor(input.fileHandleForReading.fileDescriptor), output: .file(folder.file("messages")))
    // Keeps standard input open, because its end would tell the helper to stop.
    try input.fileHandleForWriting.write(contentsOf: Data(job.utf8))
    helper.wait()
    let lines = try String(contentsOf: folder.file("messages"), encoding: .utf8).split(separator: "\n")
    #expect(lines.last?.contains("converted") == true, "\(lines)")
    #expect(lines.contains("{\"working\":{}}"))
  }

  @Test func jobsAndAnswersOfMoreThanEightMegabytesAreNotTaken() throws {
    let helper = Command.programs.appendingPathComponent("liveedit-render").path
    for (count, isTaken) in [(8 << 20, true), ((8 << 20) + 1, false)] {
      let (start, end) = ("{\"describe\":{\"x\":\"", "\"}}")
      let filler = String(repeating: "a", count: count - start.count - end.count)
      let output = try Tools.run([helper], input: Data((start + filler + end).utf8))
      #expect(
        output.text.contains("standard input does not contain a render job") == !isTaken, "\(output.text)")
    }
    for (count, isLong) in [(8 << 20, false), (9 << 20, true)] {
      // Writes that many bytes or more without ending the line, then waits.
      try replaceHelper("read line; head -c \(count) /dev/zero | tr '\\0' a; exec sleep 1000")
      let output = try run(Self.commands[0], timeout: "3")
      #expect(output.status == 1)
      #expect(output.standardError.contains("sent an unreadable reply") == isLong, "\(output.standardError)")
      #expect(output.standardError.contains("did not answer") == !isLong, "\(output.standardError)")
      #expect(try survivors() == [])
    }
  }

  @Test(arguments: Cases.chosen(commands) { index, _ in index % 3 == 0 })
  func aSignalEndsEveryCommandAndItsHelper(_ command: String) throws {
    try replaceHelper("kill -STOP $$")
    for (signal, index) in [(SIGTERM, 1), (SIGINT, 2)].prefix(command == Self.commands[0] ? 2 : 1) {
      let words = command.split(separator: " ").map(String.init)
      let process = try Child([programs.appendingPathComponent("liveedit").path] + words, in: folder.url)
      try Event.wait(for: "a helper that hangs") {
        let text = (try? String(contentsOf: folder.file("helpers"), encoding: .utf8)) ?? ""
        let helpers = text.split(separator: "\n").compactMap { Int32($0) }
        return helpers.count == index
          && (try? helpers.last.flatMap(RunningProcess.init)?.status("State").first?.contains("stopped"))
            == true
      }
      process.signal(signal)
      #expect(process.wait() == .signalled(signal))
      #expect(try survivors() == [])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
  }

  @Test(.enabled(if: Tools.canLimit, "a sanitizer's own files are limited too"))
  func aLimitOfFileSizesIsNoBrokenFile() throws {
    try MadePrograms.copy(Command.programs.appendingPathComponent("liveedit-render"), to: programs)
    // One block of 512 bytes, or of 1024 in some shells.
    for command in ["rotate --degrees 90 -o out IMG_0003.JPG", "create --movie IMG_0003.MOV -o out"] {
      let output = try run(command, limit: "ulimit -f 1")
      #expect(output.status == 1)
      #expect(
        output.standardError.contains("would exceed the system's file size limit"), "\(output.standardError)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
  }

  /// Each limit of the confinement is lowered so that a job of a second reaches it. The helper uses the lower of its
  /// own limit and the existing one. One message names the limit or the file that it stopped, and no files are left
  /// behind.
  @Test(
    arguments: [
      (
        "ulimit -S -t 1",
        "liveedit-render used more than 1 s of processor time and was stopped; use a shorter or smaller file"
      ),
      ("ulimit -n 5", "cannot be read (too many open files)"),
    ]
      + (Tools.canLimit
        ? [
          ("ulimit -f 40", "would exceed the system's file size limit"),
          ("ulimit -d 60000", "its memory limit for this job is 58 MB"),
        ] : []))
  func aLimitThatIsReachedIsNamed(_ limit: String, _ sentence: String) throws {
    _ = try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=6", "-c:v",
      "libx264",
      "-preset", "ultrafast", "-pix_fmt", "yuv420p", "long.mov", in: folder.url)
    try replaceHelper("\(limit); exec '\(Command.programs.path)/liveedit-render'")
    let output = try run("adjust --exposure 0.5 -o out long.mov")
    #expect(output.status == 1)
    #expect(output.sentences.count == 1 && output.standardError.contains(sentence), "\(output.standardError)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
    #expect(try survivors() == [])
    // Without the limit, the same job succeeds.
    try replaceHelper("exec '\(Command.programs.path)/liveedit-render'")
    let unlimited = try run("adjust --exposure 0.5 -o out long.mov")
    #expect(unlimited.status == 0, "\(unlimited.standardError)")
  }
}
