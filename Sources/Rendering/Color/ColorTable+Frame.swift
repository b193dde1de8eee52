import Basics
internal import CPixelKernels

extension ColorTable {
  /// Changes the colours of a frame in place.
  ///
  /// For each luma sample, chroma is interpolated between the surrounding chroma samples. For each chroma sample, the
  /// mean of the luma samples that share it is used. Grey pictures use the table's luma values for greys.
  ///
  /// - Parameter frame: A frame with the table's colours and bit depth. The frame's content is changed.
  /// - Returns: `frame`, or a new frame if four luma samples in a row or column share a chroma sample. The new frame
  ///   has twice as many chroma samples along that axis.
  /// - Throws: ``MediaError`` if the bit depth of the frame differs.
  package func apply(to frame: PlanarFrame) throws -> PlanarFrame {
    guard frame.format.bitDepth == bitDepth, let first = frame.planes.first else {
      throw MediaError("the frames have different bit depths", isUnsupported: true)
    }
    switch frame.format.sampling {
    case .yuv411: return try apply(to: frame.chromaResampled(to: .yuv422))
    case .yuv441: return try apply(to: frame.chromaResampled(to: .yuv440))
    case .grey: applyToGrey(first)
    default: applyToColor(frame, first)
    }
    return frame
  }

  private func applyToColor(_ frame: PlanarFrame, _ first: PlanarFrame.Plane) {
    let rows = FrameRows(frame)
    let scratch = Scratch(
      width: first.width, chromaWidth: rows.cb.width, bytesPerSample: frame.format.bytesPerSample)
    for row in 0..<rows.cb.height { change(row, of: rows, scratch) }
  }

  /// Changes one row of chroma and the rows of luma that share it.
  private func change(_ row: Int, of rows: FrameRows, _ scratch: Scratch) {
    let (depth, width, chromaWidth) = (Int32(bitDepth), Int64(rows.luma.width), Int64(rows.cb.width))
    let (least, greatest) = (Int32(range.lowerBound), Int32(range.upperBound))
    let first = row << rows.verticalShift
    let end = min(first + (1 << rows.verticalShift), rows.luma.height)
    // Chroma is computed first, from the old luma, but written last, because luma needs the old chroma.
    let second = rows.verticalShift == 0 ? first : min(first + (1 << (rows.verticalShift - 1)), end - 1)
    places_of_means(
      rows.luma.row(first), rows.luma.row(second), width, 1 << rows.horizontalShift, depth, chromaWidth,
      scratch.means[0])
    places_of_chroma(rows.cb.row(row), chromaWidth, depth, scratch.chromaB[0])
    places_of_chroma(rows.cr.row(row), chromaWidth, depth, scratch.chromaR[0])
    for (table, result) in [(cb, scratch.newB), (cr, scratch.newR)] {
      color_table_lookup(
        table.pointer, scratch.means[0], scratch.chromaB[0], scratch.chromaR[0], chromaWidth, depth, least,
        greatest, result[0])
    }
    for y in first..<end {
      let (neighbour, weight) = rows.neighbour(of: y, chromaRow: row)
      for (plane, old, between) in [
        (rows.cb, scratch.oldB, scratch.betweenB), (rows.cr, scratch.oldR, scratch.betweenR),
      ] {
        // The row above has already been overwritten, so its old content is read from a buffer.
        let far = UnsafeRawPointer(neighbour < row ? UnsafeMutableRawPointer(old[0]) : plane.row(neighbour))
        places_between_chroma(
          plane.row(row), far, weight, chromaWidth, width, rows.layout, depth, scratch.blend[0], between[0])
      }
      places_of_luma(rows.luma.row(y), width, depth, scratch.places[0])
      color_table_lookup(
        luma.pointer, scratch.places[0], scratch.betweenB[0], scratch.betweenR[0], width, depth, least,
        greatest, rows.luma.row(y))
    }
    for (plane, old, new) in [(rows.cb, scratch.oldB, scratch.newB), (rows.cr, scratch.oldR, scratch.newR)] {
      UnsafeMutableRawPointer(old[0]).copyMemory(from: plane.row(row), byteCount: old.width)
      plane.row(row).copyMemory(from: new[0], byteCount: new.width)
    }
  }

  private func applyToGrey(_ plane: PlanarFrame.Plane) {
    var places = [UInt16](repeating: 0, count: plane.width)
    let middle = [UInt16](repeating: 2048, count: plane.width)
    for y in 0..<plane.height {
      places_of_luma(plane.row(y), Int64(plane.width), Int32(bitDepth), &places)
      color_table_lookup(
        luma.pointer, places, middle, middle, Int64(plane.width), Int32(bitDepth), Int32(range.lowerBound),
        Int32(range.upperBound), plane.row(y))
    }
  }
}

/// The planes of a frame and the layout of their samples.
private struct FrameRows {
  let luma: PlanarFrame.Plane
  let cb: PlanarFrame.Plane
  let cr: PlanarFrame.Plane
  let horizontalShift: Int
  let verticalShift: Int
  /// The horizontal position of chroma samples relative to luma samples.
  let layout: Int32
  private let location: ChromaLocation

  init(_ frame: PlanarFrame) {
    (luma, cb, cr) = (frame.planes[0], frame.planes[1], frame.planes[2])
    horizontalShift = frame.format.sampling.horizontalShift
    verticalShift = frame.format.sampling.verticalShift
    location = frame.format.color.chromaLocation ?? .center
    layout = Int32(
      horizontalShift == 0 ? PLACES_EVERY : location.offset.x < 0 ? PLACES_LEFT : PLACES_CENTRED)
  }

  /// Returns the second chroma row from which a luma row is interpolated, and the weight of the luma row's own chroma
  /// row in quarters.
  func neighbour(of y: Int, chromaRow: Int) -> (row: Int, weight: Int32) {
    guard verticalShift == 1 else { return (chromaRow, 4) }
    let isUpper = y & 1 == 0
    let place = location.offset.y
    let weight: Int32 = place == 0 ? 3 : (place < 0) == isUpper ? 4 : 2
    return (min(max(chromaRow + (isUpper ? -1 : 1), 0), cb.height - 1), weight)
  }
}

/// Buffers for rows that are converted between a plane and the table.
private struct Scratch {
  let places, betweenB, betweenR, blend, means, chromaB, chromaR: NumberRows<UInt16>
  /// The previous bytes of the chroma row that was overwritten last.
  let oldB, oldR: NumberRows<UInt8>
  /// The new bytes of the chroma row.
  let newB, newR: NumberRows<UInt8>

  init(width: Int, chromaWidth: Int, bytesPerSample: Int) {
    func numbers(_ count: Int) -> NumberRows<UInt16> { NumberRows(width: count, count: 1) }
    (places, betweenB, betweenR) = (numbers(width), numbers(width), numbers(width))
    blend = numbers(chromaWidth + 2)
    (means, chromaB, chromaR) = (numbers(chromaWidth), numbers(chromaWidth), numbers(chromaWidth))
    func bytes() -> NumberRows<UInt8> { NumberRows(width: chromaWidth * bytesPerSample, count: 1) }
    (oldB, oldR, newB, newR) = (bytes(), bytes(), bytes(), bytes())
  }
}
