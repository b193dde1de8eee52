import Foundation
import TestSupport

/// A decoded picture with three bytes per pixel.
struct Picture {
  var width: Int
  var height: Int
  var pixels: [UInt8]

  /// - Parameter ppm: A binary portable pixmap (P6) with 8 bits per channel.
  init(ppm: Data) throws {
    let fields = ppm.prefix(64).split(maxSplits: 4, whereSeparator: { $0 == 10 || $0 == 32 })
      .prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 4, fields[0] == "P6", let width = Int(fields[1]), let height = Int(fields[2]),
      ppm.count >= 3 * width * height
    else { throw ToolFailure("not a portable pixmap of the expected size") }
    self.width = width
    self.height = height
    pixels = Array(ppm.suffix(3 * width * height))
  }

  /// Decodes a JPEG file as it is stored, ignoring the Exif orientation.
  init(storedIn jpeg: URL) throws {
    try self.init(ppm: Tools.output("djpeg", "-ppm", jpeg.path).standardOutput)
  }

  /// Decodes the first frame at or after `time` (in seconds), rotated by the movie's matrix.
  init(of movie: URL, at time: Double) throws {
    let frame = try Tools.output(
      "ffmpeg", "-v", "error", "-ss", "\(time)", "-i", movie.path, "-frames:v", "1", "-f", "image2pipe",
      "-c:v", "ppm", "-")
    try self.init(ppm: frame.standardOutput)
  }

  /// Returns the red, green and blue values of a pixel.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    let at = 3 * (y * width + x)
    return pixels[at..<at + 3].map(Int.init)
  }

  /// The initials of the corner colours, clockwise from the top left: “RGBY” if the fixtures' scene is upright.
  var corners: String {
    let colours: [(Character, [Int])] = [
      ("R", [225, 40, 40]), ("G", [40, 170, 60]), ("B", [45, 75, 215]), ("Y", [240, 205, 40]),
    ]
    let inset = min(width, height) * 3 / 100
    let (right, bottom) = (width - 1 - inset, height - 1 - inset)
    let places = [(inset, inset), (right, inset), (right, bottom), (inset, bottom)]
    return String(
      places.map { x, y in
        let here = pixel(x, y)
        return colours.first { zip($0.1, here).allSatisfy { abs($0 - $1) < 45 } }?.0 ?? "?"
      })
  }
}
