import Basics
import EditLibrary
import EditModel
import FileSystem
import Synchronization

extension ContactSheet {
  /// Pictures that are written to one file in the order in which they are finished.
  private struct Progress {
    let file: FileByteSink
    var size = 0
    var places: [Int: SheetConversion.Place] = [:]
    var failures: [Int: EditError] = [:]
    /// The error that prevents further pictures from being written.
    var trouble: (any Error)?

    mutating func take(_ result: ConversionResult, of cells: Range<Int>, side: Int) {
      for (index, error) in result.failures where cells.count > index && index >= 0 {
        failures[cells.lowerBound + index] = error
      }
      for (index, picture) in result.pictures where cells.count > index && index >= 0 {
        guard picture.isSound(within: side), trouble == nil else { continue }
        do {
          for plane in picture.planes { try file.write([UInt8](plane)) }
        } catch {
          trouble = error
          return
        }
        places[cells.lowerBound + index] = SheetConversion.Place(
          offset: size, width: picture.width, height: picture.height, isGrey: picture.planes.count == 1)
        size += picture.planes.count * picture.width * picture.height
      }
    }
  }

  /// The maximum width and height in pixels that every supported format allows.
  private static let longestSide = 65535

  /// Makes the contact sheet. The pictures of each asset are made in a separate process. Then another process makes the
  /// sheet and can only read the file with the pictures.
  ///
  /// - Parameters:
  ///   - format: The file format.
  ///   - publisher: The publisher of the new files; the sheet is its member `sheet`.
  ///   - converter: The converter that makes the pictures and the sheet.
  ///   - jobs: The number of assets that are processed in parallel.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  /// - Returns: The size of the sheet, and the errors for missing pictures by their index.
  /// - Throws: ``EditError`` if the sheet would be too large or cannot be made. The output is removed in that case.
  package mutating func make(
    _ format: ImageConversion.Format, in publisher: FilePublisher, by converter: any MediaConverter,
    jobs: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    let path = publisher.path("pictures")
    var job = try finish(format, pictures: path, to: publisher.path("sheet"))
    // This is the minimum height. A sheet that is slightly too tall is detected only after its captions are laid out.
    guard (cells.count + job.columns - 1) / job.columns * job.side <= Self.longestSide else {
      throw EditError(
        .invalidFile, file: path, "a contact sheet with \(cells.count) pictures would be too large",
        remedy: "select fewer with --filter")
    }
    let progress: Mutex<Progress>
    do { progress = Mutex(Progress(file: try FileByteSink(path: path))) } catch {
      throw EditError(writing: path, error)
    }
    let (sources, side) = (sources, job.side)
    // A sheet of one asset shows its frames. On other sheets, each picture shows a different asset.
    let assets = isOfOneAsset ? [0..<sources.count] : sources.indices.map { $0..<$0 + 1 }
    WorkerThread.share(assets.count, among: jobs) { next in
      while let number = next(), !isCancelled(), progress.withLock({ $0.trouble == nil }) {
        let pictures = SheetPictures(sources: Array(sources[assets[number]]), side: side)
        do throws(EditError) {
          let result = try converter.convert(.sheetPictures(pictures), isCancelled: isCancelled)
          progress.withLock { $0.take(result, of: assets[number], side: side) }
        } catch {
          progress.withLock { $0.failures[assets[number].lowerBound] = error }
        }
      }
    }
    if isCancelled() { throw EditError(.cancelled, "was not created: stopped on request") }
    let failures: [Int: EditError]
    do {
      failures = try progress.withLock { progress in
        if let trouble = progress.trouble { throw trouble }
        try progress.file.flush()
        for (index, place) in progress.places { job.cells[index].place = place }
        return progress.failures
      }
    } catch {
      throw EditError(writing: path, error)
    }
    var result = try converter.convert(.sheet(job), isCancelled: isCancelled)
    result.failures = failures
    do { try File.remove(path) } catch { throw EditError(writing: path, error) }
    return result
  }
}
