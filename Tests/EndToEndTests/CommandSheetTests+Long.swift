import Foundation
import TestSupport
import Testing

extension CommandSheetTests {
  private func part(_ picture: Picture, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [Int] {
    (y..<y + height).flatMap { y in (x..<x + width).flatMap { picture.pixel($0, y) } }
  }

  /// The frames are in time order, and the photo is framed at the time when it was taken. A HEIC photo is tested in the
  /// sheet of a folder, too.
  @Test(
    arguments: Cases.chosen(["IMG_0001.JPG", "IMG_0003.JPG", "IMG_0004.HEIC"]) { index, _ in index == 1 })
  func framesOfALivePhotoStandInOrder(_ name: String) throws {
    let folder = try TemporaryFolder()
    let movie = folder.file(String(name.prefix(8)) + ".MOV")
    for file in [name, movie.lastPathComponent] {
      try FileManager.default.copyItem(at: TestFiles.fixture(file), to: folder.file(file))
    }
    let answer = try Command.run("sheet", "-o", "sheet.png", name, in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let sheet = try decoded(folder.file("sheet.png"))
    let times = try Tools.ffprobe(
      movie, "-select_streams", "v", "-show_entries", "frame=pts_time"
    ).compactMap { Double($0.split(separator: ",")[0]) }.sorted()
    let inspected = try Tools.output("exiftool", "-s3", "-n", "-StillImageTime", movie.path)
    #expect(inspected.status == 0)
    let count = min(11, times.count)
    let numbers = (0..<count).map { $0 * (times.count - 1) / (count - 1) }
    #expect(answer.text.contains("\(count + 1) pictures → sheet.png"))
    #expect(sheet.width == 2 * 24 + 4 * 320 + 3 * 16)
    let marked = try #require(box(of: [255, 149, 0], in: sheet))
    let column = (marked.x - 24 + 4) / 336
    // The fixture's photo was taken in the middle of its movie.
    let inside = part(sheet, marked.x + 4, marked.y + 4, marked.width - 8, marked.height - 8)
    // ffmpeg 5.1 cannot decode HEIC.
    if name.hasSuffix("JPG") {
      let photoInside = try decoded(folder.file(name), "scale=\(marked.width - 8):\(marked.height - 8)")
      let sum = zip(inside, photoInside.pixels).reduce(0) { $0 + abs($1.0 - Int($1.1)) }
      #expect(Double(sum) / Double(inside.count) < 8)
    }
    // Finds the rows' positions from the marked cell and the height of a row without a caption.
    let still = try #require(
      Command.run("inspect", "--json", movie.lastPathComponent, in: folder.url).answers.first)
    let stillTime = try #require(
      (JSONSerialization.jsonObject(with: Data(still.utf8)) as? [String: Any]).flatMap {
        ($0["movie"] as? [String: Any])?["stillImageTime"] as? Double
      })
    let before = numbers.count { times[$0] <= stillTime + 1e-6 }
    #expect(before % 4 == column, "\(before) \(marked)")
    // Every frame in the photo's row matches the frame that ffmpeg decodes.
    let bottom = marked.y + marked.height - 4
    for other in 0..<4 where other != column {
      let place = before / 4 * 4 + other
      let index = place > before ? place - 1 : place
      guard numbers.indices.contains(index) else { continue }
      func difference(_ number: Int) throws -> Double {
        let scale = "scale=320:320:force_original_aspect_ratio=decrease:flags=lanczos"
        let frame = try decoded(movie, "select='eq(n,\(number))',\(scale)")
        let x = 24 + other * 336 + (320 - frame.width) / 2
        let cell = part(sheet, x, bottom - frame.height, frame.width, frame.height)
        let sum = zip(cell, frame.pixels).reduce(0) { $0 + abs($1.0 - Int($1.1)) }
        return Double(sum) / Double(cell.count)
      }
      let own = try difference(numbers[index])
      // ffmpeg does not convert Display P3, but the sheet is in sRGB.
      #expect(own < 7, "cell \(place): frame \(numbers[index])")
      for number in [numbers[index] - 2, numbers[index] + 2] where times.indices.contains(number) {
        #expect(try difference(number) > own, "cell \(place): frame \(numbers[index]) or \(number)")
      }
    }
  }
}
