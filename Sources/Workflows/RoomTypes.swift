import EditLibrary
import LivePhotoFormat

// Types from other modules that the command line and the studio use.

package typealias AcceptedOriginals = EditLibrary.AcceptedOriginals
package typealias AssetDestination = EditLibrary.AssetDestination
package typealias AssetIndex = EditLibrary.AssetIndex
package typealias Album = EditLibrary.Album
package typealias AssetField = EditLibrary.AssetField
package typealias AssetFilter = EditLibrary.AssetFilter
package typealias AssetLocator = EditLibrary.AssetLocator
package typealias AssetOperation = EditLibrary.AssetOperation
package typealias AssetQuery = EditLibrary.AssetQuery
package typealias AssetRecord = EditLibrary.AssetRecord
package typealias CatalogueStamp = EditLibrary.CatalogueStamp
package typealias CheckResult = EditLibrary.CheckResult
package typealias CheckFinding = EditLibrary.CheckFinding
package typealias FilterError = EditLibrary.FilterError
package typealias FilePublisher = EditLibrary.FilePublisher
package typealias FileRole = EditLibrary.FileRole
package typealias FolderListing = EditLibrary.FolderListing
package typealias FolderWatcher = EditLibrary.FolderWatcher
package typealias FolderTree = EditLibrary.FolderTree
package typealias IndexedAsset = EditLibrary.IndexedAsset
package typealias LastListing = EditLibrary.LastListing
package typealias Library = EditLibrary.Library
package typealias LibraryLayout = EditLibrary.LibraryLayout
package typealias MarkChange = EditLibrary.MarkChange
package typealias MovedAsset = EditLibrary.MovedAsset
package typealias OriginalFiles = EditLibrary.OriginalFiles
package typealias RenderNames = EditLibrary.RenderNames
package typealias SoughtFolders = EditLibrary.SoughtFolders
package typealias UnlistedEntries = EditLibrary.UnlistedEntries
package typealias UnusableName = EditLibrary.UnusableName
package typealias Version = EditLibrary.Version
package typealias VersionFile = EditLibrary.VersionFile

package typealias HEIFInspection = LivePhotoFormat.HEIFInspection
package typealias LivePhotoVerification = LivePhotoFormat.LivePhotoVerification
package typealias MovieInspection = LivePhotoFormat.MovieInspection
package typealias PhotoInspection = LivePhotoFormat.PhotoInspection
package typealias PrivateMetadata = LivePhotoFormat.PrivateMetadata
package typealias TrackInspection = LivePhotoFormat.TrackInspection
package typealias VerificationFinding = LivePhotoFormat.VerificationFinding
package typealias VerificationRule = LivePhotoFormat.VerificationRule
package typealias VideoColor = LivePhotoFormat.VideoColor
package typealias VideoInspection = LivePhotoFormat.VideoInspection
