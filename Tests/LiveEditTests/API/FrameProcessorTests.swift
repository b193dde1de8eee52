import Basics
import EditModel
import Foundation
import LiveEdit
import RenderClient
import RenderEngine
import Synchronization
import TestSupport
import Testing
import Workflows

/// Tests of the frames passed to a frame processor, and of edits whose processor misbehaves.
@Suite struct FrameProcessorTests {
  let originals = ["IMG_0001.JPG", "IMG_0001.MOV"]

  @Test func itSeesEveryPictureOnceUpright() async throws {
    let api = try APIFolder()
    let seen = Seen()
    try await api.save { frame in
      seen.add(frame)
      return frame.planes
    }
    let frames = seen.frames
    let movie = api.folder.file("IMG_0001.MOV")
    // The times that ffprobe reports with the edit list applied, and one still.
    let times = try Tools.ffprobe(movie, "-select_streams", "v", "-show_entries", "frame=pts_time")
      .compactMap { Double($0.trimmingCharacters(in: .init(charactersIn: ", "))) }
    let video = frames.filter { $0.context.half == .movie }
    #expect(times.count > 10)
    #expect(video.count == times.count)
    #expect(zip(video, times).allSatisfy { abs($0.context.time - $1) < 0.001 })
    let stills = frames.filter { $0.context.half == .photo }
    #expect(stills.count == 1)
    // The time of the sample in the still-image-time track.
    let still = try Tools.output("exiftool", "-s3", "-n", "-ee", "-StillImageTime", movie.path).lines
    #expect(!still.isEmpty)
    #expect(stills[0].context.time > 0)
    #expect(frames.allSatisfy { $0.context.renderScale == 1 && $0.bitDepth == 8 && $0.planes.count == 3 })
    // Both halves are stored rotated by 90°.
    for (file, frame) in [("IMG_0001.JPG", stills[0]), ("IMG_0001.MOV", video[0])] {
      let size = try Tools.output(
        "exiftool", "-s3", "-ImageWidth", "-ImageHeight", api.folder.file(file).path
      ).lines.compactMap { Int($0) }
      #expect([frame.planes[0].height, frame.planes[0].width] == size)
    }
  }

  @Test func itsOwnErrorIsTold() async throws {
    struct TooDark: Error {}
    let api = try APIFolder()
    for half in HalfKind.allCases {
      let failed = await #expect(throws: EditError.self) {
        try await api.save { frame in
          if frame.context.half == half { throw TooDark() }
          return frame.planes
        }
      }
      #expect(failed?.code == .frameProcessor)
      #expect(failed?.problem.contains("TooDark") == true)
      #expect(failed?.file == api.folder.file(originals[half == .photo ? 0 : 1]).path)
      #expect(try api.names() == originals)
    }
  }

  /// Planes that do not match the frame.
  enum Nonsense: CaseIterable {
    case noPlanes, tooManyPlanes, narrow, shortByOne, tooBright, hugeSize

    func planes(for frame: LivePhotoFrame) -> [LivePhotoFrame.Plane] {
      var planes = frame.planes
      switch self {
      case .noPlanes: return []
      case .tooManyPlanes: return planes + [planes[0]]
      case .narrow: planes[1].width -= 1
      case .shortByOne: planes[2].samples.removeLast()
      case .tooBright: planes[0].samples[0] = frame.largestSample + 1
      case .hugeSize:
        planes[0].width = .max
        planes[0].height = .min
      }
      return planes
    }
  }

  @Test(arguments: Nonsense.allCases) func planesThatAreNoneAreRefused(_ nonsense: Nonsense) async throws {
    let api = try APIFolder()
    let calls = Seen()
    let failed = await #expect(throws: EditError.self) {
      try await api.save { frame in
        guard frame.context.half == .movie else { return frame.planes }
        calls.add(frame)
        // Returns wrong planes only later, when the encoder is already working.
        return calls.frames.count == 5 ? nonsense.planes(for: frame) : frame.planes
      }
    }
    #expect(failed?.code == .frameProcessor)
    #expect(try api.names() == originals)
  }

  /// Renders both halves at a small size with a frame processor.
  private func preview(
    _ processor: FrameProcessor, of name: String = "IMG_0001.JPG", in api: APIFolder
  ) async throws -> LivePhoto {
    let context = LivePhotoEditingContext(try await api.input(name))
    context.frameProcessor = processor
    return try await context.prepareForPlayback(targetSize: .init(width: 48, height: 48))
  }

  /// If the processor's code changes no colours, the conversion to RGB and back leaves the pictures unchanged.
  @Test(arguments: RGBEncoding.allCases)
  func colorsThatStayLeaveThePicturesAlone(_ encoding: RGBEncoding) async throws {
    let api = try APIFolder()
    var decoded: [[String]] = []
    for processor in [FrameProcessor.planes { $0.planes }, .rgb(encoding) { _ in }] {
      let preview = try await preview(processor, in: api)
      decoded.append(
        try [preview.photoPath, preview.moviePath].map { path in
          try Tools.output(
            "ffmpeg", "-v", "error", "-i", try #require(path), "-map", "0:v:0", "-f", "framemd5", "-"
          ).text
        })
    }
    #expect(decoded[0] == decoded[1])
  }

  /// One formula results in the same colour in both halves, although the photo is in Display P3 and the movie is in
  /// limited-range BT.709.
  @Test func oneColorIsTheSameInBothHalves() async throws {
    let api = try APIFolder(files: ["IMG_0002.JPG", "IMG_0002.MOV"])
    // Linear values of sRGB 0.5, 0.25, 0.125, converted with ITU-R BT.2087's matrix.
    let color: [Float] = [0.40144, 0.26585, 0.14215]
    let processor = FrameProcessor.rgb(.linear) { picture in
      for index in picture.samples.indices { picture.samples[index] = color[index % 3] }
    }
    let preview = try await preview(processor, of: "IMG_0002.JPG", in: api)
    // Movie: the R′G′B′ values of sRGB 0.5, 0.25, 0.125 are 188, 137, 99 with sRGB's curve.
    let movie = try Tools.output(
      "ffmpeg", "-v", "error", "-i", try #require(preview.moviePath), "-frames:v", "1", "-vf",
      "scale=in_color_matrix=bt709:out_range=full,crop=1:1:20:20", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"
    ).bytes
    #expect(movie.count == 3 && zip(movie, [188, 137, 99]).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(movie)")
    let photo = try Tools.output("djpeg", "-ppm", try #require(preview.photoPath)).bytes.suffix(3).map {
      Int($0)
    }
    // Display P3: the linear values of the same colour are 0.4556, 0.2583, 0.1405.
    #expect(zip(photo, [180, 139, 105]).allSatisfy { abs($0 - $1) <= 3 }, "\(photo)")
  }

  @Test(arguments: [Float.nan, .infinity]) func colorsThatAreNoneAreRefused(_ value: Float) async throws {
    let api = try APIFolder()
    let failed = await #expect(throws: EditError.self) {
      try await api.save(.rgb(.display) { $0.samples[4] = value })
    }
    #expect(failed?.code == .frameProcessor)
    let short = await #expect(throws: EditError.self) {
      try await api.save(.rgb(.display) { $0.samples.removeLast() })
    }
    #expect(short?.code == .frameProcessor)
    #expect(try api.names() == originals)
  }

  @Test func aRendererElsewhereCannotCallIt() async throws {
    let api = try APIFolder(renderer: CopyingRenderer())
    let refused = await #expect(throws: EditError.self) { try await api.save { $0.planes } }
    #expect(refused?.code == .unsupported)
    #expect(try api.names() == originals)
  }

  @Test func whatItRenderedKeepsItsFilesForEver() async throws {
    let api = try APIFolder()
    let input = try await api.input()
    let context = LivePhotoEditingContext(input)
    context.frameProcessor = .planes { $0.planes }
    let output = try ContentEditingOutput(input)
    try await context.saveLivePhoto(to: output)
    // Data that claims to be liveedit's own edit is refused.
    output.adjustmentData = AdjustmentData(edit: Edit(orientation: .right), settings: .standard)
    let refused = await #expect(throws: EditError.self) {
      try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    }
    #expect(refused?.code == .invalidEdit)
    // The output can still be committed.
    output.adjustmentData = AdjustmentData(formatIdentifier: "com.example", formatVersion: "1", data: Data())
    try await api.library.performChanges { $0[input.asset].contentEditingOutput = output }
    let rendered = try Data(contentsOf: api.folder.file("IMG_E0001.MOV"))
    for _ in 1...3 { try await api.turn() }
    try await api.library.performChanges { $0[input.asset].version = .number(1) }
    #expect(try Data(contentsOf: api.folder.file("IMG_E0001.MOV")) == rendered)
  }
}

/// Frames collected from any thread.
final class Seen: Sendable {
  private let all = Mutex<[LivePhotoFrame]>([])

  var frames: [LivePhotoFrame] { all.withLock { $0 } }

  func add(_ frame: LivePhotoFrame) {
    // Only the size of each plane is stored, because samples take much memory.
    let planes = frame.planes.map { LivePhotoFrame.Plane(width: $0.width, height: $0.height, samples: []) }
    let light = LivePhotoFrame(
      context: frame.context, bitDepth: frame.bitDepth, isFullRange: frame.isFullRange, matrix: frame.matrix,
      planes: planes)
    all.withLock { $0.append(light) }
  }
}
