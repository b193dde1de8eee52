import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import TestSupport
import Workflows

/// A folder with the first Live Photo of the fixtures and its library, rendered in the test's own process.
struct APIFolder {
  let folder: TemporaryFolder
  let library: PhotoLibrary

  init(files: [String] = ["IMG_0001.JPG", "IMG_0001.MOV"], renderer: any Renderer = InProcessRenderer())
    throws
  {
    folder = try TemporaryFolder()
    for file in files { try folder.copy(TestFiles.fixture(file)) }
    library = try PhotoLibrary(folder: folder.url, renderer: renderer)
  }

  /// Returns the names in the folder, without the library's own.
  func names() throws -> [String] { try folder.names().filter { $0 != ".liveedit" } }

  func input(
    _ name: String = "IMG_0001.JPG", canHandle: @escaping @Sendable (AdjustmentData) -> Bool = { _ in true }
  ) async throws -> ContentEditingInput {
    let asset = try await library.asset(named: name)
    return try await library.requestContentEditingInput(for: asset, canHandleAdjustmentData: canHandle)
  }

  /// Rotates the asset that a file belongs to by 90°, through the public interface.
  func turn(_ name: String = "IMG_0001.JPG") async throws {
    let input = try await input(name) { $0.canHandle }
    let context = LivePhotoEditingContext(input)
    context.edit = context.edit.turned(.right)
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    try await library.performChanges { $0[input.asset].contentEditingOutput = output }
  }

  /// Renders with a frame processor and discards the result.
  func save(_ body: @escaping @Sendable (LivePhotoFrame) throws -> [LivePhotoFrame.Plane]) async throws {
    try await save(.planes(body))
  }

  func save(_ processor: FrameProcessor) async throws {
    let input = try await input()
    let context = LivePhotoEditingContext(input)
    context.frameProcessor = processor
    try await context.saveLivePhoto(to: try ContentEditingOutput(input))
  }
}
