import Basics
import EditModel

/// Changes Samsung's data blocks in a HEIC photo.
extension HEIFComposition {
  /// Removes Samsung's data blocks that may reveal the photo's location, both from `sefd` boxes and from the data after
  /// the last box. Damaged boxes, and any other data after the last box, are removed completely. Call this function
  /// only if the file is changed in place.
  ///
  /// - Parameter isGone: A function that returns the blocks to remove.
  /// - Returns: The names of the removed blocks.
  /// - Throws: ``MediaError`` if a box is too large to be examined.
  mutating func removeSamsungPlaces(_ isGone: (SamsungBlocks) -> [SamsungBlocks.Block]) throws -> [String] {
    var names: [String] = []
    for place in file.samsungPlaces {
      guard let blocks = try SamsungBlocks(endOf: place.content, of: file.source) else {
        if let box = place.box {
          try SamsungTrailer.checkSize(box)
          droppedAtoms.insert(box.offset)
          names.append("Samsung's trailer")
        } else if !place.content.isEmpty {
          overwrites.append((place.content, []))
          if try holdsData(place.content) { names.append("data after the picture") }
        }
        continue
      }
      let others = place.content.lowerBound..<blocks.start
      let isAnyOther = try place.box == nil && holdsData(others)
      if isAnyOther {
        names.append("data after the picture")
        overwrites.append((others, []))
      }
      let gone = isGone(blocks)
      guard !gone.isEmpty else { continue }
      names += gone.map(\.title)
      let rest = try blocks.serialized(without: gone)
      if rest.isEmpty, let box = place.box {
        droppedAtoms.insert(box.offset)
      } else {
        overwrites.append((blocks.start..<place.content.upperBound, rest))
      }
    }
    return names
  }

  /// Changes the dates in Samsung's data blocks, and removes the country block if the location changes. Call this
  /// function only if the file is changed in place.
  ///
  /// - Returns: The names of the removed blocks.
  /// - Throws: ``MediaError`` if a box is damaged and too large to be examined.
  mutating func changeSamsungBlocks(by rewrite: FactsRewrite) throws -> [String] {
    var names: [String] = []
    for place in file.samsungPlaces where rewrite.dates != nil || rewrite.facts.place != nil {
      guard let blocks = try SamsungBlocks(endOf: place.content, of: file.source) else {
        guard let box = place.box, let dates = rewrite.dates else { continue }
        try SamsungTrailer.checkSize(box)
        try change(place.content, dates)
        continue
      }
      let gone = try rewrite.facts.place == nil ? [] : blocks.ofPlace
      names += gone.map(\.title)
      if !gone.isEmpty {
        var rest = try blocks.serialized(without: gone)
        if let dates = rewrite.dates { SamsungTrailer.change(&rest, dates: dates) }
        overwrites.append((blocks.start..<place.content.upperBound, rest))
      } else if let dates = rewrite.dates {
        // Blocks that contain a time are short. Other blocks may contain an entire movie.
        for block in blocks.blocks where block.range.count <= 4096 { try change(block.range, dates) }
      }
    }
    return names
  }

  /// Changes the dates in a range of the file.
  private mutating func change(_ part: Range<Int>, _ dates: DateRewrite) throws {
    var bytes = try file.source.read(at: part.lowerBound, count: part.count)
    SamsungTrailer.change(&bytes, dates: dates)
    overwrites.append((part, bytes))
  }

  /// Omits Samsung's data blocks that do not match the new pixels. Call this function only if the complete file is
  /// rewritten.
  ///
  /// - Returns: The names of the removed blocks and of any other data after the last box.
  mutating func keepSamsungBlocks(after change: PictureChange) throws -> [Removal] {
    var removals: [Removal] = []
    for place in file.samsungPlaces {
      // The part of the data after the last box that precedes Samsung's blocks.
      var others = place.content
      var kept: [UInt8] = []
      if let blocks = try SamsungBlocks(endOf: place.content, of: file.source) {
        let stale = try blocks.stale(after: change)
        removals += stale.map { Removal(half: .photo, name: $0.block.title, reason: $0.reason) }
        kept = try blocks.serialized(without: stale.map(\.block))
        others = others.lowerBound..<blocks.start
        if let box = place.box, !stale.isEmpty {
          if kept.isEmpty { droppedAtoms.insert(box.offset) } else { otherContents[box.offset] = kept }
        }
      }
      guard place.box == nil else { continue }
      rest = kept
      if try file.source.read(at: others.lowerBound, count: others.count).contains(where: { $0 != 0 }) {
        removals.append(Removal(half: .photo, name: "data after the picture", reason: PictureChange.stale))
      }
    }
    return removals
  }
}

extension HEIFFile {
  /// The ranges in which Samsung phones store data blocks: `sefd` boxes, and the data after the last box.
  var samsungPlaces: [(content: Range<Int>, box: FileAtom?)] {
    let end = atoms.last?.range.upperBound ?? size
    return atoms.filter { $0.kind == "sefd" }.map { ($0.contentOffset..<$0.range.upperBound, $0) }
      + [(end..<size, nil)]
  }

  /// The Samsung data blocks in the file.
  var samsungBlocks: [SamsungBlocks] {
    get throws { try samsungPlaces.compactMap { try SamsungBlocks(endOf: $0.content, of: source) } }
  }
}
