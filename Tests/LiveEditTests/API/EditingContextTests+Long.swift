import Basics
import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import Synchronization
import TestSupport
import Testing
import Workflows

extension EditingContextTests {
  /// Cancels at the n-th call of the frame processor, for many n, and after the last call. No files may remain.
  @Test(arguments: [1, 2, 3, 7, 15, 30]) func cancellingLeavesNothing(_ moment: Int) async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let started = Mutex<Task<Void, any Error>?>(nil)
    let calls = Mutex(0)
    let task = Task {
      let context = LivePhotoEditingContext(input)
      context.frameProcessor = .planes { frame in
        let count = calls.withLock { count in
          count += 1
          return count
        }
        if count == moment {
          while started.withLock({ $0?.cancel() }) == nil { usleep(1000) }
        }
        return frame.planes
      }
      try await context.saveLivePhoto(to: try ContentEditingOutput(input))
    }
    started.withLock { $0 = task }
    let outcome = await task.result
    #expect(throws: EditError.self) { try outcome.get() }
    #expect(try api.names() == originals)
    #expect(try !api.folder.names().contains(".liveedit"))
  }

  /// A change block that is cancelled at any moment takes effect completely or not at all.
  @Test(arguments: [0, 1, 2, 5, 10, 20, 40, 80]) func aCancelledChangeIsDoneOrNot(_ milliseconds: Int)
    async throws
  {
    let api = try APIFolder()
    try await api.turn()
    let before = try Data(contentsOf: api.folder.file("IMG_E0001.MOV"))
    do {
      let input = try await api.input { $0.canHandle }
      let context = LivePhotoEditingContext(input)
      context.edit = Edit(orientation: .down)
      let output = try ContentEditingOutput(input)
      output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
      try await context.saveLivePhoto(to: output)
      let after = try Data(contentsOf: #require(output.renderedMovie))
      let task = Task {
        try await api.library.performChanges {
          $0[input.asset].contentEditingOutput = output
          $0[input.asset].isFavourite = true
        }
      }
      try await Task.sleep(for: .milliseconds(milliseconds))
      task.cancel()
      let isDone = (try? await task.value) != nil
      #expect(try Data(contentsOf: api.folder.file("IMG_E0001.MOV")) == (isDone ? after : before))
      #expect(try await api.library.asset(named: "IMG_0001.JPG").isFavourite == isDone)
    }
    #expect(try api.names().allSatisfy { !$0.hasPrefix(".") })
  }
}
