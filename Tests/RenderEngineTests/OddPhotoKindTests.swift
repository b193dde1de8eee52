import EditModel
import Foundation
import TestSupport
import Testing

/// Tests of complete renders of JPEGs in every coding that the library supports.
@Suite struct OddPhotoKindTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let kinds: [[String]] = [
    ["-sample", "2x2"], ["-sample", "2x1"], ["-sample", "1x2"], ["-sample", "1x1"], ["-sample", "4x1"],
    ["-sample", "2x1,2x1,2x1"], ["-sample", "1x2,1x2,1x2"], ["-sample", "2x2,2x1,2x1"],
    ["-grayscale"], ["-grayscale", "-sample", "2x2"], ["-rgb"], ["-progressive"], ["-arithmetic"],
    ["-arithmetic", "-progressive"], ["-restart", "1"], ["-restart", "2B"], ["-scans", "scans.txt"],
    ["-quality", "2"], ["-optimize"],
  ]

  func photo(_ kind: [String], width: Int, height: Int) throws -> [UInt8] {
    try folder.write(Array("0;1;2;".utf8), to: "scans.txt")
    let quality = kind.contains("-quality") ? [] : ["-quality", "93"]
    return try folder.photo(width: width, height: height, cjpeg: quality + kind)
  }

  // A 90° rotation turns 4:1:1 into 4:4:1, which TurboJPEG's own interface does not support.
  @Test func turned411IsReadable() throws {
    let photo = try photo(["-sample", "4x1"], width: 96, height: 64)
    let turned = try folder.rendered(photo, .right).bytes
    let wanted = try folder.luma(photo).turned(.right)
    #expect(try folder.luma(turned).psnr(wanted) > 50)
    let path = try folder.write(turned, to: "441.jpg").path
    let decoded = try Tools.output(
      "ffmpeg", "-v", "error", "-idct", "int", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"
    ).bytes
    #expect(decoded.count == 64 * 96)
    // As an original, the photo is rotated by its flag or refused.
    #expect(try folder.rendered(turned, .right, isLossless: true).result.photo == .copied)
    #expect(try folder.refusal(turned).description.contains("sampling of the colour components"))
  }

  @Test(arguments: [3, 5, 6, 8], [(96, 64), (75, 53)])
  func orientationIsHonoured(_ stored: Int, _ size: (Int, Int)) throws {
    let photo = try folder.photo(
      width: size.0, height: size.1, cjpeg: ["-quality", "93", "-sample", "2x1"],
      exiftool: ["-n", "-IFD0:Orientation=\(stored)"])
    let transform = try #require(Orientation(rawValue: stored)).then(.right)
    let wanted = try folder.luma(photo).turned(transform)
    let baked = try folder.rendered(photo, .right)
    #expect(try folder.luma(baked.bytes).psnr(wanted) >= 37.5)
    #expect(try Tools.exiftool(folder.file("rendered.jpg"))["IFD0:Orientation"] == "1")
    let lossless = try folder.rendered(photo, .right, isLossless: true)
    let flag = try #require(try Tools.exiftool(folder.file("rendered.jpg"))["IFD0:Orientation"])
    let displayed = try #require(Int(flag).flatMap { Orientation(rawValue: $0) })
    #expect(displayed == (lossless.result.photo == .copied ? transform : .up))
    #expect(try folder.luma(lossless.bytes).turned(displayed).psnr(wanted) >= 50)
  }

  @Test(arguments: [(96, 64), (75, 53)], [0, 2])
  func fourInkColours(_ size: (Int, Int), _ transform: Int) throws {
    let photo = try fourInks(width: size.0, height: size.1, transform: transform)
    let perfect = try folder.perfectlyTurned(photo, .right)
    let lossless = try folder.rendered(photo, .right, isLossless: true)
    #expect(try folder.normalised(lossless.bytes) == folder.normalised(perfect ?? photo))
    // The segment that distinguishes CMYK from YCCK is kept.
    #expect(try Tools.exiftool(folder.file("rendered.jpg"))["Adobe:ColorTransform"] == "\(transform)")
    if perfect != nil {
      #expect(try folder.rendered(photo, .right).result.photo == .lossless)
    } else {
      #expect(try folder.refusal(photo).description.contains("not encoded as Y′CbCr"))
    }
  }

  /// Returns a picture of four components, made from a Y′CbCr picture by repeating the third component.
  func fourInks(width: Int, height: Int, transform: Int) throws -> [UInt8] {
    var photo = try photo(["-sample", "1x1", "-scans", "scans.txt"], width: width, height: height)
    let frame = try #require(photo.indices.first { photo[$0...].starts(with: [0xFF, 0xC0]) })
    photo[frame + 3] += 3
    photo[frame + 9] = 4
    photo.insert(contentsOf: [4, 0x11, photo[frame + 18]], at: frame + 19)
    // Repeats the scan of component 3 for component 4.
    let scan = try #require(photo.indices.last { photo[$0...].starts(with: [0xFF, 0xDA]) })
    var copy = Array(photo[scan..<photo.count - 2])
    copy[5] = 4
    photo.insert(contentsOf: copy, at: photo.count - 2)
    let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, UInt8(transform)]
    // Replaces JFIF, which does not allow four components.
    photo.replaceSubrange(2..<20, with: adobe)
    return photo
  }
}
