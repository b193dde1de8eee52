import Basics
import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import TestSupport
import Testing
import Workflows

/// Tests that compile and run the documentation's examples. The last test finds examples that are not here word for
/// word.
@Suite struct ExampleTests {
  @Test func assets() async throws {
    let api = try APIFolder()
    let folder = api.folder.url
    let library = try PhotoLibrary(folder: folder, renderer: InProcessRenderer())
    for try await asset in try await library.fetchAssets() {
      print(asset.name, asset.metadata.created?.text ?? "")
    }
    let asset = try await library.asset(named: "IMG_0001.JPG")
    if asset.metadata.kind == .live, asset.canPerform(.edit) { print(asset.url.path) }
    #expect(asset.metadata.kind == .live && asset.canPerform(.edit))
  }

  @Test func aFewLines() async throws {
    func open() throws -> PhotoLibrary {
      let library = try PhotoLibrary(folder: "Photos")
      return library
    }
    #expect(throws: EditError.self) { try open() }
    let api = try APIFolder(files: ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG"])
    let library = api.library
    for asset in try library.assets(where: "kind = live and not edited") { print(asset.name) }
    let asset = try #require(try library.assets(where: "kind = live").first)
    try await library.edit(asset) { edit in
      edit.rotate(.right)
      edit.exposure = 0.3
    }
    #expect(try library.assets(where: "kind = live and not edited").isEmpty)
    var edit = Edit.identity
    edit.rotate(.right)
    edit.exposure = 0.3
    let input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    #expect(input.adjustmentData?.decoded()?.edit == edit)
  }

  @Test func elsewhere() async throws {
    let (photos, other) = (try TemporaryFolder(), try TemporaryFolder())
    let (originals, edits) = (photos.url, other.url)
    let library = try PhotoLibrary(
      folder: originals, layout: .elsewhere(edits), renderer: InProcessRenderer())
    #expect(try await library.fetchAssets().count == 0)
    withExtendedLifetime((photos, other)) {}
  }

  @Test func fetching() async throws {
    let api = try APIFolder()
    let library = api.library
    let options = FetchOptions(
      filter: try AssetFilter("kind = live and date >= 2024-05"),
      order: .init(.date, isDescending: true), limit: 100)
    let none = try await library.fetchAssets(options)
    #expect(none.count == 0)
    let result = try await library.fetchAssets(FetchOptions(filter: try AssetFilter("favourite")))
    let firstPage = try await result.assets(in: 0..<20)
    print(firstPage.count, "of", result.count)
    #expect(firstPage.isEmpty)
    withExtendedLifetime(api) {}
  }

  @Test func editing() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG"])
    let library = api.library
    let asset = try await library.asset(named: "IMG_0001.JPG")
    let another = try await library.asset(named: "IMG_0003.JPG")
    let negative = FrameProcessor.planes { frame in
      var planes = frame.planes
      let largest = frame.largestSample
      for index in planes[0].samples.indices { planes[0].samples[index] = largest - planes[0].samples[index] }
      return planes
    }
    try await edit(asset, negative, library)
    try await edit(asset, another, library)
    #expect(try await library.asset(named: "IMG_0001.JPG").isFavourite)
  }

  func edit(_ asset: Asset, _ negative: FrameProcessor, _ library: PhotoLibrary) async throws {
    let input = try await library.requestContentEditingInput(for: asset) { data in
      data.formatIdentifier == "com.example.falsecolour" && data.formatVersion == "1"
    }
    let context = LivePhotoEditingContext(input)
    context.edit = Edit(orientation: .right)
    context.frameProcessor = negative
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(
      formatIdentifier: "com.example.negative", formatVersion: "1", data: Data())
    try await context.saveLivePhoto(to: output) { print($0.phase, $0.fraction) }
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    let preview = try await context.prepareForPlayback(targetSize: .init(width: 320, height: 320))
    print(preview.photo?.path ?? "no photo", preview.movie?.path ?? "no movie")
  }

  func edit(_ asset: Asset, _ another: Asset, _ library: PhotoLibrary) async throws {
    let input = try await library.requestContentEditingInput(for: asset) { $0.canHandle }
    if let last = input.adjustmentData?.decoded() {
      print("resumes", last.edit, "from version", input.baseVersion)
    }
    let context = LivePhotoEditingContext(input)
    context.edit = Edit(orientation: .right)
    let output = try ContentEditingOutput(input)
    output.renderSettings.quality = .high
    output.adjustmentData = AdjustmentData(
      edit: Edit(orientation: .right), settings: output.renderSettings)
    try await context.saveLivePhoto(to: output) { progress in
      if progress.phase == .rendering { print(Int(progress.fraction * 100), "%") }
    }
    try await library.performChanges { changes in
      changes[asset].contentEditingOutput = output
      changes[asset].isFavourite = true
      changes[another].revertAssetContentToOriginal()
    }
  }

  @Test func colors() async throws {
    let api = try APIFolder()
    let brighter = FrameProcessor.rgb(.linear) { picture in
      for index in picture.samples.indices { picture.samples[index] *= 2 }
    }
    let context = LivePhotoEditingContext(try await api.input())
    context.frameProcessor = brighter
    _ = try await context.prepareForPlayback(targetSize: .init(width: 48, height: 48))
  }

  @Test func pages() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG"])
    let library = api.library
    let asset = try await library.asset(named: "IMG_0001.JPG")
    let another = try await library.asset(named: "IMG_0003.JPG")
    let page = api.folder.file("page.html")
    let options = SharePageOptions(size: 2048, stripping: .all)
    let bytes = try await library.makeSharePage(of: [asset, another], options, to: page)
    #expect(try Data(contentsOf: page).count == bytes)
    await #expect(throws: EditError.self) { try await library.makeSharePage(of: [asset], to: page) }
    #expect(try Data(contentsOf: page).count == bytes)
  }

  @Test func negative() async throws {
    let api = try APIFolder()
    let library = api.library
    let asset = try await library.asset(named: "IMG_0001.JPG")
    let input = try await library.requestContentEditingInput(for: asset) { data in
      data.formatIdentifier == "com.example.negative"  // can we resume this edit?
    }
    let context = LivePhotoEditingContext(input)
    context.frameProcessor = .planes { frame in
      var planes = frame.planes
      planes[0].samples = planes[0].samples.map { frame.largestSample - $0 }
      return planes
    }
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(
      formatIdentifier: "com.example.negative", formatVersion: "1", data: Data())
    try await context.saveLivePhoto(to: output)
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    #expect(try api.names().contains("IMG_E0001.MOV"))
  }

  @Test func creatingAndExporting() async throws {
    let api = try APIFolder()
    let library = api.library
    let (photo, movie) = (api.folder.file("IMG_0001.JPG"), api.folder.file("IMG_0001.MOV"))
    let target = api.folder.file("made")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
    let folder = target
    let made = try await LivePhoto.create(
      from: .files(photo: photo, movie: movie), into: folder, converter: InProcessRenderer())
    print(made.livePhoto.movie?.path ?? "", made.stillTime)
    let livePhoto = made.livePhoto
    for resource in livePhoto.resources { print(resource.kind, resource.url.lastPathComponent) }
    #expect(livePhoto.resources.map(\.kind) == [.photo, .pairedVideo])
    let sources = CreationSources.files(
      photo: URL(filePath: "cover.png"), movie: URL(filePath: "clip.webm"))
    await #expect(throws: EditError.self) {
      try await LivePhoto.create(from: sources, into: folder, converter: InProcessRenderer())
    }

    let asset = try await library.asset(named: "IMG_0001.JPG")
    try FileManager.default.removeItem(at: target)
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
    let options = ExportOptions(.still, stripping: .all)
    let outcome = try await library.export(asset, ExportOptions(.still, stripping: .all), into: folder)
    print(outcome.written.map(\.lastPathComponent), outcome.notes)
    #expect(outcome.written.count == 1 && options.form == .still)
    let name = try ExportName("{date:%Y-%m}/{stem}-{camera}")
    let image = try await library.export(
      asset, ExportOptions(.image, size: 300, imageFormat: .png, name: name), into: folder)
    #expect(
      image.written.first?.pathExtension == "png"
        && max(image.size?.width ?? 0, image.size?.height ?? 0) == 300)
  }

  @Test func observing() async throws {
    let api = try APIFolder()
    let library = api.library
    let asset = try await library.asset(named: "IMG_0001.JPG")
    defer { withExtendedLifetime(api) {} }
    let observer = Task {
      for try await change in try await library.changes() where change.concerns(asset) {
        print(try await library.asset(named: asset.name).isFavourite)
      }
    }
    for try await image in library.requestImage(for: asset, targetSize: .init(width: 320, height: 240)) {
      print(image.isDegraded ? "thumbnail" : "picture", image.size.width, image.data.count)
    }
    try await library.createAlbum("Summer")
    try await library.add([asset], toAlbum: "Summer")
    for album in try await library.albums() { print(album.name, album.stems) }
    #expect(try await library.albums().map(\.stems) == [["IMG_0001"]])
    try await library.remove([asset], fromAlbum: "Summer")
    #expect(try await library.albums().map(\.stems) == [[]])
    try await library.removeAlbum("Summer")
    #expect(try await library.albums().isEmpty)
    for round in 0..<4 {
      try await library.performChanges { $0[asset].isFavourite = round % 2 == 0 }
      try await Task.sleep(for: .milliseconds(100))
    }
    observer.cancel()
    // If a request is interrupted by the cancellation, it reports that.
    if case .failure(let error) = await observer.result { #expect((error as? EditError)?.code == .cancelled) }
  }

  @Test func allExamplesOfTheDocumentationAreHere() throws {
    // Line breaks do not matter.
    let here = squeezed(try lines(of: URL(fileURLWithPath: #filePath)))
    let sources = TestFiles.project.appendingPathComponent("Sources")
    let rooms = ["EditModel", "LiveEdit", "RenderEngine"].map(sources.appendingPathComponent)
    let files = try rooms.flatMap { room in
      try FileManager.default.subpathsOfDirectory(atPath: room.path).filter { $0.hasSuffix(".swift") }
        .map(room.appendingPathComponent)
    }
    var count = 0
    for file in files {
      for example in try examples(in: file) {
        count += 1
        #expect(here.contains(squeezed(example)), "\(file.lastPathComponent): \(example[0])")
      }
    }
    #expect(count > 10)
    let articles = try FileManager.default.contentsOfDirectory(
      at: sources.appendingPathComponent("LiveEdit/LiveEdit.docc"), includingPropertiesForKeys: nil)
    let pages = [TestFiles.project.appendingPathComponent("Documentation/Swift.md")] + articles
    var blocks = 0
    for page in pages where page.pathExtension == "md" {
      for block in try lines(of: page).split(separator: "```swift").dropFirst() {
        blocks += 1
        // Documentation/Swift.md begins with a program from Examples and contains a package manifest. Both are tested
        // as programs.
        guard !block.contains(where: { $0.contains("for asset in try") || $0.contains("PackageDescription") })
        else {
          continue
        }
        let code = block.prefix { $0 != "```" }.filter { !$0.hasPrefix("import") }
        #expect(here.contains(squeezed(code)), "\(page.lastPathComponent): \(code.first ?? "")")
      }
    }
    #expect(blocks > 5)
  }

  @Test func everyPublicDeclarationIsDocumentedBesideAnExample() throws {
    let room = TestFiles.project.appendingPathComponent("Sources/LiveEdit")
    let names = try FileManager.default.subpathsOfDirectory(atPath: room.path).filter {
      $0.hasSuffix(".swift")
    }
    var count = 0
    for name in names where name != "Exports.swift" {
      let file = room.appendingPathComponent(name)
      let lines = try lines(of: file)
      for (index, line) in lines.enumerated()
      where line.hasPrefix("public ") && !line.hasPrefix("public import") {
        count += 1
        let above = lines[..<index].last { !$0.hasPrefix("@") } ?? ""
        #expect(above.hasPrefix("///"), "\(name): \(line)")
        let hasExample = try !examples(in: file).isEmpty
        #expect(hasExample, "\(name): \(line)")
      }
    }
    #expect(20...180 ~= count)
  }

  private func squeezed(_ lines: some Sequence<String>) -> String { lines.joined().filter { $0 != " " } }

  private func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the blocks of documentation that are indented by four characters and follow an empty line.
  private func examples(in file: URL) throws -> [[String]] {
    var examples: [[String]] = []
    var previous = ""
    for line in try lines(of: file) {
      if line.hasPrefix("///     ") {
        let code = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
        if previous == "///" {
          examples.append([code])
        } else if previous == "code" {
          examples[examples.count - 1].append(code)
        } else {
          previous = line
          continue
        }
        previous = "code"
      } else {
        previous = line
      }
    }
    return examples
  }
}
