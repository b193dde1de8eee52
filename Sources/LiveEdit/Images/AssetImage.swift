public import EditModel
public import FoundationEssentials
import Workflows

/// A picture of an asset as it is displayed: upright, its current version.
public struct AssetImage: Hashable, Sendable {
  /// The picture as JPEG.
  public let data: Data
  /// Its columns and rows.
  public let size: PixelSize
  /// True for the thumbnail that the file brings with it; the real picture follows.
  public let isDegraded: Bool
}

extension PhotoLibrary {
  /// Asks for a picture of an asset to show: first the thumbnail that its file brings with it, where it has one, then
  /// the picture itself, reduced. Of a movie without a photo it is the first frame.
  ///
  ///     for try await image in library.requestImage(for: asset, targetSize: .init(width: 320, height: 240)) {
  ///       print(image.isDegraded ? "thumbnail" : "picture", image.size.width, image.data.count)
  ///     }
  ///
  /// Pictures are decoded by the library's renderer, two at a time, and kept in memory as long as there is room: asked
  /// for again, an unchanged asset gives the picture at once and no thumbnail. Cancel the task, or let go of the stream,
  /// to stop.
  ///
  /// - Parameters:
  ///   - asset: the asset.
  ///   - targetSize: pixels that the picture must cover; a smaller picture is given in full.
  /// - Returns: one or two pictures, the real one last. The stream throws ``Basics/EditError`` when the asset cannot be
  ///   decoded, also after a thumbnail.
  public func requestImage(
    for asset: Asset, targetSize: PixelSize
  ) -> AsyncThrowingStream<AssetImage, any Error> {
    let (stream, continuation) = AsyncThrowingStream<AssetImage, any Error>.makeStream()
    let flag = Flag()
    continuation.onTermination = { _ in flag.set() }
    let request = ImageRequest(library: self, asset: asset, targetSize: targetSize) { flag.isSet }
    imageRequests.add {
      do throws(EditError) {
        try request.run { continuation.yield($0) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return stream
  }
}
