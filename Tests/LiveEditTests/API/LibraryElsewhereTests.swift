import Basics
import EditLibrary
import Foundation
import RenderEngine
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of a separate library, through the public interface.
@Suite struct LibraryElsewhereTests {
  private let folder: TemporaryFolder
  private let originals: URL
  private let library: PhotoLibrary

  init() throws {
    folder = try TemporaryFolder()
    originals = folder.file("originals")
    for name in ["originals", "lib"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] {
      try FileManager.default.copyItem(
        at: TestFiles.fixture(name), to: originals.appendingPathComponent(name))
    }
    library = try PhotoLibrary(
      folder: originals,
      layout: LibraryLayout(
        library: folder.file("lib").path, known: KnownLibraries(folder: folder.file("state").path)),
      renderer: InProcessRenderer())
  }

  /// Returns the names, inode numbers, sizes and times in the originals' folder.
  private func stamps() throws -> [String] {
    try Tools.output("find", originals.path, "-printf", "%p %i %s %T@ %C@\n").lines.sorted()
  }

  @Test func everythingOfAnEditIsInTheLibrary() async throws {
    let before = try stamps()
    let asset = try await library.asset(named: "IMG_0001.JPG")
    #expect(asset.canPerform(.edit) && !asset.canPerform(.revert))
    var changes = try await library.changes().makeAsyncIterator()
    let input = try await library.requestContentEditingInput(for: asset) { _ in true }
    let context = LivePhotoEditingContext(input)
    context.edit = Edit(orientation: .right)
    let preview = try await context.prepareForPlayback(targetSize: .init(width: 64, height: 64))
    #expect(preview.photo?.path.hasPrefix(folder.file("lib").path) == true)
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(edit: context.edit, settings: output.renderSettings)
    try await context.saveLivePhoto(to: output)
    #expect(output.renderedMovie?.path.hasPrefix(folder.file("lib").path) == true)
    try await library.performChanges {
      $0[asset].contentEditingOutput = output
      $0[asset].isFavourite = true
    }
    try await library.createAlbum("Summer")
    try await library.add([asset], toAlbum: "Summer")
    #expect(try await changes.next()?.concerns(asset) == true)
    #expect(try await library.albums().map(\.stems) == [["IMG_0001"]])
    // The 180° rotation starts from the original, not from the render.
    let edited = try await library.asset(named: "IMG_0001.JPG")
    #expect(edited.metadata.isEdited && edited.isFavourite && edited.canPerform(.revert))
    #expect(edited.metadata.width == asset.metadata.height)
    let again = try await library.requestContentEditingInput(for: edited) { $0.canHandle }
    #expect(again.livePhoto.photo?.path == originals.appendingPathComponent("IMG_0001.JPG").path)
    var sizes: [PixelSize] = []
    for try await image in library.requestImage(for: edited, targetSize: .init(width: 9999, height: 9999)) {
      sizes.append(image.size)
    }
    #expect(sizes.last?.width == asset.metadata.height)
    let found = try await library.fetchAssets(FetchOptions(filter: try AssetFilter("edited and favourite")))
    #expect(found.count == 1)
    let out = folder.file("out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
    let outcome = try await library.export(edited, ExportOptions(.pair), into: out)
    #expect(outcome.sources.allSatisfy { $0.path.hasPrefix(folder.file("lib").path) })
    try await library.performChanges { $0[edited].revertAssetContentToOriginal() }
    #expect(try await !library.asset(named: "IMG_0001.JPG").metadata.isEdited)
    #expect(try stamps() == before)
  }

  @Test func theOtherLayoutIsRefused() async throws {
    let asset = try await library.asset(named: "IMG_0001.JPG")
    try await library.performChanges { $0[asset].isHidden = true }
    let beside = try PhotoLibrary(
      folder: originals,
      layout: LibraryLayout(library: nil, known: KnownLibraries(folder: folder.file("state").path)),
      renderer: InProcessRenderer())
    let refused = await #expect(throws: EditError.self) { try await beside.fetchAssets() }
    #expect(refused?.code == .inTheWay)
    #expect(refused?.remedy == "add --library \(folder.file("lib").resolvingSymlinksInPath().path)")
    await #expect(throws: EditError.self) { try await beside.createAlbum("Summer") }
    // Uses the public initialiser.
    let elsewhere = try PhotoLibrary(
      folder: originals, layout: .elsewhere(folder.file("lib")), renderer: InProcessRenderer())
    let hidden = try await elsewhere.fetchAssets(FetchOptions(includesHidden: true))
    #expect(hidden.count == 1)
  }
}
