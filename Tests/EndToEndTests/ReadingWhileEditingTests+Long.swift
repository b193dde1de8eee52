import Foundation
import TestSupport
import Testing

/// Tests of commands that read a folder while a batch edits it: they do not wait for the batch, and do not mistake a
/// commit in progress for damage.
@Suite struct ReadingWhileEditingTests {
  @Test func readersSeeWholeAssets() throws {
    try withTemporaryFolder { folder in
      let photo = try Data(contentsOf: TestFiles.fixture("IMG_0003.JPG"))
      for number in 1...24 {
        try photo.write(to: folder.appendingPathComponent("IMG_\(1000 + number).JPG"))
      }
      let turned = try Command.run("rotate", "--degrees", "90", "--lossless", "--jobs", "1", ".", in: folder)
      #expect(turned.status == 0)
      let batch = try Command.start("flip", "--horizontal", "--lossless", "--jobs", "1", ".", in: folder)
      var readings = 0
      while batch.isRunning {
        for words in [["list", "."], ["history", "IMG_1001.JPG"], ["check", "."]] {
          let answer = try Tools.run([Command.path] + words, in: folder)
          let told = "\(words): \(answer.text)\(answer.standardError)"
          // If something looks wrong while files are being moved, a check waits and looks again.
          let isWaiting =
            words[0] == "check" && answer.standardError.hasPrefix("liveedit: waiting for process")
          let isBusy = isWaiting && answer.standardError.contains("is being edited by another liveedit")
          #expect(
            answer.status == (isBusy ? 1 : 0)
              && !answer.text.replacing("no problems", with: "").contains("problem"), "\(told)")
          #expect(answer.standardError == "" || isWaiting, "\(told)")
        }
        readings += 1
      }
      #expect(batch.wait() == .exited(0) && readings > 0)
      #expect(try Tools.run([Command.path, "check", "."], in: folder).status == 0)
    }
  }
}
