import Foundation
import LiveEdit
import RenderEngine

/// Turns every asset of a folder that a filter finds by a quarter to the right: a batch that applies one edit to a
/// whole fetch result. An edit that liveedit made before is composed with, and rendered from the original.
///
///     example-turn-all FOLDER 'kind = live and date >= 2024-05'
@main struct TurnAll {
  /// Assets that change together, all or none.
  static let blockSize = 20

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: example-turn-all FOLDER [FILTER]")
      return
    }
    let library = try PhotoLibrary(
      folder: URL(filePath: arguments[1]), renderer: InProcessRenderer())
    let filter = try arguments.count > 2 ? AssetFilter(arguments[2]) : nil
    var edited: [(asset: Asset, output: ContentEditingOutput)] = []
    for try await asset in try await library.fetchAssets(FetchOptions(filter: filter)) {
      if let reason = asset.refusal(of: .edit) {
        print(reason)
        continue
      }
      edited.append((asset, try await turned(asset, in: library)))
      if edited.count == blockSize { try await commit(&edited, to: library) }
    }
    try await commit(&edited, to: library)
  }

  /// Renders one asset; nothing changes yet.
  static func turned(_ asset: Asset, in library: PhotoLibrary) async throws -> ContentEditingOutput {
    let input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    let context = LivePhotoEditingContext(input)
    context.edit = context.edit.turned(.right)
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    return output
  }

  static func commit(
    _ edited: inout [(asset: Asset, output: ContentEditingOutput)], to library: PhotoLibrary
  ) async throws {
    let block = edited
    try await library.performChanges { changes in
      for (asset, output) in block { changes[asset].contentEditingOutput = output }
    }
    for (asset, _) in block { print("turned \(asset.name)") }
    edited = []
  }
}
