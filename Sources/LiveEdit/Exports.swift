// The types of other rooms that belong to this interface, by name.

@_exported public import struct Basics.EditError
// Assets.
@_exported public import struct EditLibrary.Album
@_exported public import enum EditLibrary.AssetField
@_exported public import struct EditLibrary.AssetFilter
@_exported public import enum EditLibrary.AssetOperation
@_exported public import struct EditLibrary.AssetQuery
@_exported public import struct EditLibrary.FilterError
@_exported public import struct EditLibrary.IndexedAsset
// Adjustment data and renders.
@_exported public import struct EditModel.AdjustmentData
// Edits.
@_exported public import struct EditModel.Adjustments
@_exported public import enum EditModel.AssetKind
@_exported public import struct EditModel.AssetMetadata
@_exported public import enum EditModel.AssetSubtype
@_exported public import enum EditModel.BuiltInLook
@_exported public import struct EditModel.CaptureDate
@_exported public import enum EditModel.Crop
@_exported public import struct EditModel.Edit
@_exported public import enum EditModel.EditPart
@_exported public import struct EditModel.FrameContext
@_exported public import typealias EditModel.FrameProcessor
@_exported public import protocol EditModel.FrameRenderer
@_exported public import struct EditModel.GeoLocation
@_exported public import struct EditModel.Geometry
@_exported public import struct EditModel.LivePhotoFrame
@_exported public import struct EditModel.Look
@_exported public import struct EditModel.LookTable
@_exported public import protocol EditModel.MediaConverter
@_exported public import struct EditModel.MovieConversion
@_exported public import enum EditModel.Orientation
@_exported public import enum EditModel.Parameter
@_exported public import struct EditModel.PartialEdit
@_exported public import protocol EditModel.PictureChecker
@_exported public import struct EditModel.PictureProjection
@_exported public import struct EditModel.Preset
@_exported public import struct EditModel.Removal
@_exported public import struct EditModel.RenderJob
@_exported public import struct EditModel.RenderProgress
@_exported public import struct EditModel.RenderResult
@_exported public import struct EditModel.RenderSettings
@_exported public import protocol EditModel.Renderer
@_exported public import struct EditModel.ToneCurve
@_exported public import enum LivePhotoFormat.PrivateMetadata
