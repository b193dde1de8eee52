import EditModel
import Foundation
import TestSupport

/// A photo and a movie of one scene with bright spots, drawn by the test. The whole photo shows what the movie's clean
/// aperture shows.
struct MarkedPair {
  /// The stored size of the photo.
  var photoSize = (640, 480)
  var movieSize = (480, 360)
  /// The clean aperture in the stored frames (left, top, width, height), or nil without one.
  var aperture: (Int, Int, Int, Int)?
  /// The display orientation of both halves.
  var orientation = Orientation.up
  var hasPhoto = true

  /// The positions of the spots in the displayed scene, in fractions.
  static let spots: [SIMD2<Double>] = [
    [0.5, 0.5], [0.3, 0.35], [0.68, 0.3], [0.62, 0.72], [0.36, 0.66], [0.1, 0.12], [0.9, 0.85], [0.5, 0.2],
    [0.2, 0.5],
    [0.24, 0.82], [0.8, 0.55],
  ]

  /// Returns a stored picture with spots in the scene's part and different edges on all sides.
  private func drawing(_ size: (Int, Int), scene: (Int, Int, Int, Int)) -> [UInt8] {
    let pixels = Array("P5 \(size.0) \(size.1) 255\n".utf8)
    let swaps = orientation.swapsAxes
    let (width, height) = swaps ? (Double(scene.3), Double(scene.2)) : (Double(scene.2), Double(scene.3))
    let radius = 0.012 * max(width, height)
    let places = Self.spots.map { spot in
      let stored = orientation.inverse.apply(
        x: spot.x * width, y: spot.y * height, width: width, height: height)
      return SIMD2(stored.x + Double(scene.0), stored.y + Double(scene.1))
    }
    var levels = [Double](repeating: 30, count: size.0 * size.1)
    // Beyond eight radii, a spot's brightness is below one level.
    func reach(_ middle: Double, _ end: Int) -> Range<Int> {
      let (first, last) = (Int((middle - 8 * radius).rounded(.down)), Int((middle + 8 * radius).rounded(.up)))
      return min(max(first, 0), end)..<min(max(last, 0), end)
    }
    for place in places {
      for y in reach(place.y, size.1) {
        for x in reach(place.x, size.0) {
          let (dx, dy) = (Double(x) + 0.5 - place.x, Double(y) + 0.5 - place.y)
          levels[y * size.0 + x] += 200 * exp(-(dx * dx + dy * dy) / (2 * radius * radius))
        }
      }
    }
    return pixels + levels.map { UInt8(min($0, 250)) }
  }

  /// Creates the files.
  func make(in folder: TemporaryFolder) throws -> (photo: URL, movie: URL) {
    let (photo, movie) = (folder.file("IMG_0001.JPG"), folder.file("IMG_0001.MOV"))
    try folder.write(drawing(photoSize, scene: (0, 0, photoSize.0, photoSize.1)), to: "photo.pgm")
    let scene = aperture ?? (0, 0, movieSize.0, movieSize.1)
    try folder.write(drawing(movieSize, scene: scene), to: "frame.pgm")
    // Uses 4:2:0, as phones do.
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", "photo.pgm", "-pix_fmt", "yuvj420p", "-q:v", "2", "-f", "mjpeg",
        photo.path,
      ])
    try folder.run(
      "exiftool",
      [
        "-q", "-n", "-overwrite_original", "-IFD0:Orientation=\(orientation.rawValue)", photo.path,
      ])
    try folder.run(
      "ffmpeg",
      ["-v", "error", "-y", "-loop", "1", "-framerate", "10", "-i", "frame.pgm", "-frames:v", "2"]
        + OddMovie.h264 + [movie.path])
    var file = try MovieFile(movie)
    let (w, h) = (Int32(movieSize.0), Int32(movieSize.1))
    let matrix = OrientationMatrixTests.bytes(OrientationMatrixTests.matrix(orientation, w, h))
    file.track(0, "tkhd") { $0.bytes.replaceSubrange(40..<76, with: matrix) }
    if let aperture {
      let offset = (
        2 * aperture.0 + aperture.2 - movieSize.0, 2 * aperture.1 + aperture.3 - movieSize.1
      )
      let numbers = [aperture.2, 1, aperture.3, 1, offset.0, 2, offset.1, 2].map { Int32($0) }
      let clap = AtomTree(kind: "clap", bytes: numbers.flatMap(AtomTree.big)).serialized
      file.track(0, "mdia", "minf", "stbl", "stsd") { stsd in
        let size = UInt32(AtomTree.number(stsd.bytes[8..<12])) + UInt32(clap.count)
        stsd.bytes.replaceSubrange(8..<12, with: AtomTree.big(size))
        stsd.bytes += clap
      }
      let sides = [
        ("clef", aperture.2, aperture.3), ("prof", aperture.2, aperture.3), ("enof", Int(w), Int(h)),
      ]
      file.moov.change(["trak"]) { trak in
        trak.children.insert(
          AtomTree(
            kind: "tapt",
            children: sides.map { kind, width, height in
              AtomTree(
                kind: kind,
                bytes: [0, 0, 0, 0] + AtomTree.big(UInt32(width) << 16) + AtomTree.big(UInt32(height) << 16))
            }), at: 1)
      }
    }
    try file.write(movie)
    return (photo, movie)
  }

  /// Returns the centres of the bright spots in a grey picture, in fractions of its sides. Spots at the edges are left
  /// out.
  static func spots(_ picture: URL) throws -> (size: (Int, Int), places: [SIMD2<Double>]) {
    let answer = try Tools.run([
      "ffmpeg", "-v", "error", "-noautorotate", "-i", picture.path, "-frames:v", "1", "-f", "image2pipe",
      "-c:v",
      "pgm", "-",
    ])
    let bytes = answer.bytes
    let head = bytes.prefix(32).split(maxSplits: 3, whereSeparator: { $0 == 10 || $0 == 32 })
      .prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard head.count == 2, bytes.count > head[0] * head[1] else { throw ToolFailure("no picture") }
    let (width, height) = (head[0], head[1])
    let levels = bytes.suffix(width * height).map { Double($0) }
    var seen = [Bool](repeating: false, count: levels.count)
    var places: [SIMD2<Double>] = []
    for start in levels.indices where levels[start] > 70 && !seen[start] {
      var (queue, sum, weight, isAtEdge) = ([start], SIMD2<Double>.zero, 0.0, false)
      seen[start] = true
      while let index = queue.popLast() {
        let (x, y) = (index % width, index / width)
        isAtEdge = isAtEdge || x == 0 || y == 0 || x == width - 1 || y == height - 1
        sum += (levels[index] - 40) * SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        weight += levels[index] - 40
        for (column, row) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        where 0..<width ~= column && 0..<height ~= row {
          let next = row * width + column
          if levels[next] > 70, !seen[next] {
            seen[next] = true
            queue.append(next)
          }
        }
      }
      if !isAtEdge, weight > 500 { places.append(sum / weight / SIMD2(Double(width), Double(height))) }
    }
    return ((width, height), places)
  }
}
