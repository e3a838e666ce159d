package import CloserFiles

extension Vault {
    /// The vault's file as the system describes it, without reading it; nil if there is none. Another one means that somebody has changed
    /// the vault, or put another file there.
    package var fileState: FileState? { place.entry.state }
}
