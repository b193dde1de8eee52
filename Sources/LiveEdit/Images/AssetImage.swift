public import EditModel
public import FoundationEssentials
import Workflows

/// An upright picture of an asset's current version, as displayed.
public struct AssetImage: Hashable, Sendable {
  /// The picture as JPEG data.
  public let data: Data
  /// The size of the picture in pixels.
  public let size: PixelSize
  /// Whether this picture is the thumbnail embedded in the file. The full picture is delivered afterwards.
  public let isDegraded: Bool
}

extension PhotoLibrary {
  /// Requests a picture of an asset for display. The stream first delivers the thumbnail embedded in the asset's file,
  /// if the file has a thumbnail, and then the picture itself, reduced in size. For a movie without a photo, the
  /// picture is the first frame.
  ///
  ///     for try await image in library.requestImage(for: asset, targetSize: .init(width: 320, height: 240)) {
  ///       print(image.isDegraded ? "thumbnail" : "picture", image.size.width, image.data.count)
  ///     }
  ///
  /// The library's renderer decodes two pictures at a time. A cache of limited size keeps the latest pictures in
  /// memory. If the cache contains the picture of an unchanged asset, the stream delivers that picture immediately,
  /// without a thumbnail. To stop a request, cancel the task or release the stream.
  ///
  /// - Parameters:
  ///   - asset: The asset to show.
  ///   - targetSize: The size in pixels that the picture must cover. A smaller picture is delivered at its full size.
  /// - Returns: One or two pictures; the last is the full picture. The stream throws ``Basics/EditError`` if the asset
  ///   cannot be decoded, possibly after it has delivered a thumbnail.
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
