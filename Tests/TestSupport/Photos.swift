import Foundation

extension TemporaryFolder {
  /// Runs a program in the folder and expects it to succeed.
  ///
  /// - Returns: The bytes that the program wrote to standard output.
  @discardableResult
  public func run(_ tool: String, _ arguments: [String]) throws -> [UInt8] {
    let answer = try Tools.run([tool] + arguments, in: url)
    guard answer.status == 0 else {
      throw ToolFailure("\(tool) \(arguments.joined(separator: " ")): \(answer.standardError)")
    }
    return answer.bytes
  }

  /// Returns a JPEG of an uneven scene with the given exiftool tags.
  public func photo(
    width: Int = 64, height: Int = 48, cjpeg options: [String] = [], exiftool arguments: [String] = []
  ) throws -> [UInt8] {
    var pixels = Array("P6 \(width) \(height) 255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        let isCorner = x < width / 4 && y < height / 3
        pixels += [UInt8(255 * x / width), UInt8(255 * y / height), isCorner ? 255 : 40]
      }
    }
    try write(pixels, to: "scene.ppm")
    try run("cjpeg", options + ["-outfile", "photo.jpg", "scene.ppm"])
    if !arguments.isEmpty { try run("exiftool", ["-q", "-overwrite_original"] + arguments + ["photo.jpg"]) }
    return try read("photo.jpg")
  }
}
