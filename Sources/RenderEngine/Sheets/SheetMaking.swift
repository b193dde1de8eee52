import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Creates a contact sheet.
struct SheetMaking {
  let job: SheetConversion

  private static let margin = 24
  private static let gap = 16
  private static let titleSize = 20
  private static let captionSize = 13
  private static let frameWidth = 4
  private static let captionGap = 4
  private static let page = SheetCanvas.Color(255, 255, 255)
  private static let text = SheetCanvas.Color(22, 22, 22)
  private static let quietText = SheetCanvas.Color(95, 95, 95)
  private static let blank = SheetCanvas.Color(236, 236, 236)
  private static let mark = SheetCanvas.Color(255, 149, 0)
  private static let badge = SheetCanvas.Color(0, 0, 0)
  private static let badgeText = SheetCanvas.Color(255, 255, 255)

  /// Creates the sheet from finished pictures and writes the sheet to a file. The cell of a missing picture stays
  /// empty.
  ///
  /// - Throws: ``MediaError`` if the sheet would be too large; ``EditError`` if the new file cannot be written;
  ///   `CancellationError` if the work was cancelled.
  func run(isCancelled: () -> Bool) throws -> ConversionResult {
    guard (1...1000).contains(job.columns), (16...4096).contains(job.side), !job.cells.isEmpty else {
      throw MediaError("the sheet contains no pictures, or its columns or picture size are out of range")
    }
    let title = try lines(job.title, Self.titleSize, isTitle: true, width: innerWidth)
    let captions = try job.cells.map { cell in
      try lines(cell.caption, Self.captionSize, isTitle: false, width: job.side)
    }
    // Check the size with square pictures first. If the sheet is too large, no pictures need to be created.
    let largest = Layout(job, title, captions, heights: job.cells.map { _ in job.side })
    guard FrameFormat(width: largest.width, height: largest.height, sampling: .yuv444).isValid else {
      throw MediaError(
        "a sheet of \(job.cells.count) pictures would be too large",
        remedy: "select fewer pictures with --filter")
    }
    let layout = Layout(job, title, captions, heights: job.cells.map { $0.place?.height ?? job.side })
    guard let canvas = SheetCanvas(width: layout.width, height: layout.height, Self.page) else {
      throw MediaError("the sheet's pictures have no width or height")
    }
    let file = try FileByteSource(path: job.pictures)
    var y = Self.margin
    for (index, line) in title.enumerated() {
      canvas.draw(
        line.coverage, (line.width, line.height), at: (Self.margin, y),
        index == 0 ? Self.text : Self.quietText)
      y += line.height
    }
    for (index, cell) in job.cells.enumerated() {
      if isCancelled() { throw CancellationError() }
      let (x, bottom) = layout.place(of: index)
      if let place = cell.place {
        let picture = try picture(at: place, in: file)
        try draw(picture, cell, at: (x, bottom - picture.format.height), on: canvas)
      } else {
        canvas.fill((x, bottom - job.side), (job.side, job.side), Self.blank)
      }
      var y = bottom + Self.frameWidth + Self.captionGap
      for (number, line) in captions[index].enumerated() {
        canvas.draw(
          line.coverage, (line.width, line.height), at: (x + (job.side - line.width) / 2, y),
          number == 0 ? Self.text : Self.quietText)
        y += line.height
      }
    }
    let bytes = try asking(isCancelled) { try coded(canvas.frame) }
    try write(bytes, to: job.output)
    return ConversionResult(
      method: .encoded, size: PixelSize(width: layout.width, height: layout.height))
  }

  private var innerWidth: Int { job.columns * job.side + (job.columns - 1) * Self.gap }

  private func coded(_ frame: PlanarFrame) throws -> [UInt8] {
    switch job.format {
    case .jpeg: return try JPEGCodec.encode(frame, quality: 92)
    case .png, .webp:
      guard let pixels = PackedPixels(frame) else { throw MediaError("the chroma layout is not supported") }
      return try job.format == .png ? StillEncoder.png(pixels) : StillEncoder.webp(pixels, quality: 90)
    }
  }

  private func lines(_ texts: [String], _ size: Int, isTitle: Bool, width: Int) throws -> [TextMask] {
    try texts.enumerated().map { index, text in
      let isBold = isTitle && index == 0
      return try TextMask(
        text, pixels: isTitle && index > 0 ? Self.captionSize : size, isBold: isBold, mostColumns: width)
    }
  }

  /// The layout of the sheet. The height of a row is that of its tallest picture and caption.
  private struct Layout {
    let width: Int
    let height: Int
    private let columns: Int
    private let side: Int
    /// The bottom edge of the pictures in each row.
    private let bottoms: [Int]

    init(_ job: SheetConversion, _ title: [TextMask], _ captions: [[TextMask]], heights: [Int]) {
      (columns, side) = (job.columns, job.side)
      width = 2 * margin + columns * side + (columns - 1) * gap
      var y = margin + title.reduce(0) { $0 + $1.height } + (title.isEmpty ? 0 : gap)
      var bottoms: [Int] = []
      for first in stride(from: 0, to: heights.count, by: columns) {
        let row = first..<min(first + columns, heights.count)
        bottoms.append(y + (heights[row].max() ?? 0))
        let caption = captions[row].map { $0.reduce(0) { $0 + $1.height } }.max() ?? 0
        y = bottoms[bottoms.count - 1] + frameWidth + captionGap + caption + gap
      }
      self.bottoms = bottoms
      height = y - gap + margin
    }

    /// Returns the left edge of a picture's cell, and the bottom edge of the pictures in the same row.
    func place(of index: Int) -> (x: Int, bottom: Int) {
      (margin + index % columns * (side + gap), bottoms[index / columns])
    }
  }

  /// Reads the samples of a picture.
  private func picture(at place: SheetConversion.Place, in file: FileByteSource) throws -> PlanarFrame {
    let format = FrameFormat(
      width: place.width, height: place.height, sampling: place.isGrey ? .grey : .yuv444)
    guard max(place.width, place.height) <= job.side, place.offset >= 0,
      let frame = PlanarFrame(format: format)
    else { throw MediaError("the sheet's pictures have no width or height") }
    let count = place.width * place.height
    for plane in 0..<format.sampling.planeCount {
      let samples = try file.read(at: place.offset + plane * count, count: count)
      guard frame.setSamples(samples.asSamples, ofPlane: plane) else {
        throw MediaError("the sheet's pictures have no width or height")
      }
    }
    return frame
  }

  /// Draws a picture in the middle of its cell.
  private func draw(
    _ picture: PlanarFrame, _ cell: SheetConversion.Cell, at place: (x: Int, y: Int), on canvas: SheetCanvas
  ) throws {
    let (width, height) = (picture.format.width, picture.format.height)
    let (x, y) = (place.x + (job.side - width) / 2, place.y)
    if cell.isMarked {
      let edge = Self.frameWidth
      canvas.fill((x - edge, y - edge), (width + 2 * edge, height + 2 * edge), Self.mark)
    }
    canvas.put(picture, at: (x, y))
    var left = x + 6
    for badge in cell.badges {
      let mask = try TextMask(badge, pixels: 11, isBold: true, mostColumns: max(1, width - 20))
      guard left + mask.width + 8 <= x + width else { break }
      canvas.fill((left, y + 6), (mask.width + 8, mask.height + 4), Self.badge, opacity: 0.6)
      canvas.draw(mask.coverage, (mask.width, mask.height), at: (left + 4, y + 8), Self.badgeText)
      left += mask.width + 12
    }
  }
}
