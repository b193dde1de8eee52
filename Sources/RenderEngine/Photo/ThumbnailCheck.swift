import Basics
import Codecs
import EditModel
import Rendering

extension PictureCheck.Thumbnail {
  /// Compares a photo's JPEG thumbnail with the photo. Damage that viewers tolerate counts only if it is visible.
  ///
  /// - Parameters:
  ///   - jpeg: The thumbnail.
  ///   - picture: The photo in the thumbnail's stored orientation.
  /// - Returns: Nil for a thumbnail of an unsupported kind.
  static func compared(_ jpeg: [UInt8], with picture: PlanarFrame) -> Self? {
    do {
      return .likeness(PictureLikeness.decibels(try JPEGCodec.decode(jpeg), picture))
    } catch let error as MediaError where error.isUnsupported {
      return nil
    } catch {
      guard let seen = try? JPEGCodec.decode(jpeg, acceptsDamage: true) else { return .unreadable }
      let likeness = PictureLikeness.decibels(seen, picture)
      return likeness < leastLikeness ? .unreadable : .likeness(likeness)
    }
  }
}
