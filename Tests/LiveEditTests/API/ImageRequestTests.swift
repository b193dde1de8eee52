import Basics
import EditModel
import Foundation
import RenderEngine
import Synchronization
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of pictures for display, compared with ffmpeg's output for the same files.
@Suite struct ImageRequestTests {
  private func images(
    _ name: String, _ side: Int, in library: PhotoLibrary
  ) async throws -> [AssetImage] {
    let asset = try await library.asset(named: name)
    var images: [AssetImage] = []
    for try await image in library.requestImage(for: asset, targetSize: .init(width: side, height: side)) {
      images.append(image)
    }
    return images
  }

  /// Returns a picture of 32 by 32 grey values for a file of any size. ffmpeg rotates movies upright, and jpegtran
  /// rotates photos.
  private func grey(_ file: URL) throws -> [Int] {
    try Tools.output(
      "ffmpeg", "-v", "error", "-i", file.path, "-frames:v", "1", "-vf", "scale=32:32:flags=area", "-pix_fmt",
      "gray", "-f", "rawvideo", "-"
    ).bytes.map { Int($0) }
  }

  private func difference(_ image: AssetImage, _ file: URL, in folder: TemporaryFolder) throws -> Double {
    let given = try folder.write([UInt8](image.data), to: "given.jpg")
    let (ours, theirs) = (try grey(given), try grey(file))
    try #require(ours.count == 1024 && theirs.count == 1024)
    return Double(zip(ours, theirs).reduce(0) { $0 + abs($1.0 - $1.1) }) / 1024
  }

  /// Returns the photo as displayed, rotated by jpegtran.
  private func upright(_ photo: URL, in folder: TemporaryFolder) throws -> URL {
    let turns = [
      2: ["-flip", "horizontal"], 3: ["-rotate", "180"], 4: ["-flip", "vertical"], 5: ["-transpose"],
      6: ["-rotate", "90"], 7: ["-transverse"], 8: ["-rotate", "270"],
    ]
    let turn = turns[Int(try Tools.exiftool(photo)["IFD0:Orientation"] ?? "1") ?? 1] ?? []
    let target = folder.file("upright.jpg")
    _ = try Tools.run(["jpegtran"] + turn + ["-copy", "none", "-outfile", target.path, photo.path])
    return target
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"])
  func aPhotoIsGivenUprightAndCoversTheTarget(_ name: String) async throws {
    let api = try APIFolder(files: [name])
    let work = try TemporaryFolder()
    let photo = api.folder.file(name)
    let tags = try Tools.exiftool(photo)
    let images = try await images(name, 200, in: api.library)
    #expect(images.count == (tags["IFD1:ThumbnailOffset"] == nil ? 1 : 2))
    #expect(images.map(\.isDegraded) == (images.count == 1 ? [false] : [true, false]))
    let upright = try upright(photo, in: work)
    let whole = try Tools.ffprobe(upright, "-show_entries", "stream=width,height")
    let sides = (whole.first ?? "").split(separator: ",").compactMap { Int($0) }
    try #require(sides.count == 2)
    let picture = try #require(images.last)
    #expect(min(picture.size.width, picture.size.height) >= 200)
    #expect(min(picture.size.width, picture.size.height) <= 204)
    #expect(
      abs(picture.size.width * sides[1] - picture.size.height * sides[0]) <= 4 * max(sides[0], sides[1]))
    for image in images { #expect(try difference(image, upright, in: work) < 4, "\(image.size)") }
    let larger = try await self.images(name, 100_000, in: api.library)
    #expect(larger.last?.size == .init(width: sides[0], height: sides[1]))
    #expect(try api.names() == [name], "nothing is written into the folder")
  }

  @Test func theSecondTimeItComesFromMemory() async throws {
    let renderer = CountingRenderer()
    let api = try APIFolder(files: ["IMG_0001.JPG"], renderer: renderer)
    let first = try await images("IMG_0001.JPG", 100, in: api.library)
    let count = renderer.count.load(ordering: .relaxed)
    #expect(count == first.count)
    let second = try await images("IMG_0001.JPG", 100, in: api.library)
    #expect(second == [first[first.count - 1]])
    #expect(renderer.count.load(ordering: .relaxed) == count)
    let other = try await images("IMG_0001.JPG", 120, in: api.library)
    #expect(other.last != first.last && renderer.count.load(ordering: .relaxed) > count)
  }

  @Test func anEditedAssetIsShownAsItIsNow() async throws {
    let api = try APIFolder(files: ["IMG_0003.JPG"])
    let work = try TemporaryFolder()
    let before = try #require(try await images("IMG_0003.JPG", 100, in: api.library).last)
    try await api.turn("IMG_0003.JPG")
    let after = try #require(try await images("IMG_0003.JPG", 100, in: api.library).last)
    #expect(after.size.width == before.size.height && after.size.height == before.size.width)
    let render = try upright(api.folder.file("IMG_E0003.JPG"), in: work)
    #expect(try difference(after, render, in: work) < 4)
    #expect(try difference(before, render, in: work) > 10)
    let asset = try await api.library.asset(named: "IMG_0003.JPG")
    try await api.library.performChanges { $0[asset].revertAssetContentToOriginal() }
    #expect(try await images("IMG_0003.JPG", 100, in: api.library) == [before])
  }

  /// Between the lookup of an asset and the decoding, its files may be removed or replaced.
  @Test(arguments: [true, false]) func whatAnotherProcessCommitsMeanwhileIsShown(isReverted: Bool)
    async throws
  {
    let renderer = MeddlingRenderer()
    let api = try APIFolder(files: ["IMG_0003.JPG"], renderer: renderer)
    if isReverted { try await api.turn("IMG_0003.JPG") }
    let path = api.folder.url.path
    renderer.meddling.withLock {
      $0 = {
        let editor = AssetEditor(renderer: InProcessRenderer())
        if isReverted {
          _ = try? editor.switchVersion(of: "IMG_0003.JPG", in: path, to: .original)
        } else {
          var locator = AssetLocator()
          guard let asset = try? locator.locate(path + "/IMG_0003.JPG") else { return }
          _ = try? editor.edit(asset, .turn(.right))
        }
      }
    }
    let images = try await images("IMG_0003.JPG", 100, in: api.library)
    #expect(renderer.meddling.withLock { $0 } == nil)
    let other = try PhotoLibrary(folder: api.folder.url, renderer: InProcessRenderer())
    #expect(try await images.last == self.images("IMG_0003.JPG", 100, in: other).last)
    #expect(try api.folder.names().contains("IMG_E0003.JPG") == !isReverted)
    #expect(try await self.images("IMG_0003.JPG", 100, in: api.library) == [images[images.count - 1]])
  }

  /// The picture is the clean aperture of the movie's first frame, rotated according to its matrix.
  @Test(arguments: ["IMG_0001.MOV", "IMG_0002.MOV"])
  func aMovieAloneGivesItsFirstFrame(_ name: String) async throws {
    let api = try APIFolder(files: [name])
    let work = try TemporaryFolder()
    let images = try await images(name, 120, in: api.library)
    #expect(images.map(\.isDegraded) == [false])
    let movie = api.folder.file(name)
    let aperture = try #require(
      try Tools.exiftool(movie).first { $0.key.hasSuffix("CleanApertureDimensions") })
    let sides = aperture.value.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(sides.count == 2)
    // Both movies are rotated by 90 degrees.
    let shown = work.file("shown.png")
    try Tools.output(
      "ffmpeg", "-v", "error", "-i", movie.path, "-frames:v", "1", "-vf", "crop=\(sides[1]):\(sides[0])",
      shown.path)
    #expect(try difference(images[0], shown, in: work) < 3)
  }

  @Test func aHEICPhoto() async throws {
    let api = try APIFolder(files: ["IMG_0004.HEIC"])
    let work = try TemporaryFolder()
    let images = try await images("IMG_0004.HEIC", 150, in: api.library)
    #expect(images.map(\.isDegraded) == [true, false])
    #expect(images[1].size.height > images[1].size.width, "it is displayed upright")
    guard Tools.hasPillowHEIF else { return }
    let png = work.file("decoded.png")
    try Tools.output(
      "python3", "-c",
      """
      import sys, pillow_heif
      from PIL import Image
      pillow_heif.register_heif_opener()
      Image.open(sys.argv[1]).convert("RGB").save(sys.argv[2])
      """, api.folder.file("IMG_0004.HEIC").path, png.path)
    for image in images { #expect(try difference(image, png, in: work) < 6) }
  }

  /// A Motion Photo that cannot be edited because of its movie can still be shown.
  @Test func aMotionPhoto() async throws {
    let api = try APIFolder()
    let made = try TemporaryFolder()
    let asset = try await api.library.asset(named: "IMG_0001.JPG")
    let outcome = try await api.library.export(asset, ExportOptions(.motionPhoto), into: made.url)
    let file = try #require(outcome.written.first)
    let library = try PhotoLibrary(folder: made.url, renderer: InProcessRenderer())
    let images = try await images(file.lastPathComponent, 200, in: library)
    let work = try TemporaryFolder()
    let upright = try upright(api.folder.file("IMG_0001.JPG"), in: work)
    for image in images { #expect(try difference(image, upright, in: work) < 4) }
    #expect(images.last?.isDegraded == false)
  }

  @Test func aHostilePhotoIsAnError() async throws {
    let api = try APIFolder(files: ["IMG_0001.JPG"])
    let photo = api.folder.file("IMG_0001.JPG")
    var bytes = [UInt8](try Data(contentsOf: photo))
    // After the headers, the coded data is noise.
    var generator = SeededGenerator(seed: 7)
    let scan = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    for index in bytes.indices where index > scan + 20 {
      bytes[index] = UInt8.random(in: 0...254, using: &generator)
    }
    try Data(bytes.prefix(scan + 5000)).write(to: photo)
    var given: [AssetImage] = []
    let asset = try await api.library.asset(named: "IMG_0001.JPG")
    await #expect(throws: EditError.self) {
      for try await image in api.library.requestImage(for: asset, targetSize: .init(width: 64, height: 64)) {
        given.append(image)
      }
    }
    #expect(given.filter { !$0.isDegraded }.isEmpty)
  }

  @Test func whoeverLetsGoStopsTheWork() async throws {
    let renderer = WaitingRenderer()
    let api = try APIFolder(files: ["IMG_0001.JPG"], renderer: renderer)
    let asset = try await api.library.asset(named: "IMG_0001.JPG")
    let task = Task {
      for try await _ in api.library.requestImage(for: asset, targetSize: .init(width: 64, height: 64)) {}
    }
    while !renderer.hasBegun.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    _ = await task.result
    while !renderer.hasStopped.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func theCacheKeepsToItsLimit() {
    func image(_ count: Int) -> AssetImage {
      AssetImage(data: Data(count: count), size: .init(width: 1, height: 1), isDegraded: false)
    }
    func key(_ name: String) -> ImageCache.Key { .init(content: name, size: .init(width: 1, height: 1)) }
    let cache = ImageCache(limit: 100)
    cache[key("a")] = image(40)
    cache[key("b")] = image(40)
    #expect(cache[key("a")] != nil)
    cache[key("c")] = image(40)
    #expect(cache[key("b")] == nil && cache[key("a")] != nil && cache[key("c")] != nil)
    cache[key("d")] = image(101)
    #expect(cache[key("d")] == nil && cache[key("a")] != nil)
    cache[key("a")] = image(60)
    #expect(cache[key("a")]?.data.count == 60 && cache[key("c")] != nil)
  }

  @Test func aQueueDoesAllItsWorkOnAFewThreads() async throws {
    let queue = WorkQueue(limit: 2)
    let (running, most, done) = (Counter(), Counter(), Counter())
    for _ in 0..<50 {
      queue.add {
        let now = running.add(1)
        most.raise(to: now)
        usleep(500)
        running.add(-1)
        done.add(1)
      }
    }
    while done.value < 50 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(most.value <= 2)
  }
}

private final class Counter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  @discardableResult func add(_ step: Int) -> Int {
    number.withLock { number in
      number += step
      return number
    }
  }
  func raise(to value: Int) { number.withLock { $0 = max($0, value) } }
}

/// A renderer that counts the renders.
private final class CountingRenderer: Renderer {
  let count = Atomic<Int>(0)

  func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    count.add(1, ordering: .relaxed)
    return try InProcessRenderer().render(job, progress: progress, isCancelled: isCancelled)
  }
}

/// A renderer that runs other code before the first render.
private final class MeddlingRenderer: Renderer {
  let meddling = Mutex<(@Sendable () -> Void)?>(nil)

  func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    let now = meddling.withLock { meddling in
      defer { meddling = nil }
      return meddling
    }
    now?()
    return try InProcessRenderer().render(job, progress: progress, isCancelled: isCancelled)
  }
}

/// A renderer that works until it is told to stop.
private final class WaitingRenderer: Renderer {
  let hasBegun = Atomic<Bool>(false)
  let hasStopped = Atomic<Bool>(false)

  func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    hasBegun.store(true, ordering: .releasing)
    while !isCancelled() { usleep(1000) }
    hasStopped.store(true, ordering: .releasing)
    throw EditError(.cancelled, "stopped on request")
  }
}
