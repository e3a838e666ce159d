internal import CloserFiles
internal import CloserVault

// What may be wrong around a vault: who else may read and write its files, and whether it would survive a loss.

extension Visit {
    /// A month: what came later than the last export is lost with the device.
    private static let exportDays: UInt64 = 30

    /// Who else may read or write what only this user should.
    func files(keyFile: String?) -> [DoctorFinding] {
        let folder = Paths.folder(of: vault)
        var findings = Self.folder(folder) + Self.file("vault", vault)
        guard let keyFile else { return findings }
        let keyFolder = Paths.folder(of: keyFile)
        findings += Self.file("key", keyFile)
        guard keyFolder == folder else { return findings + Self.folder(keyFolder) }
        let name = String(keyFile.dropFirst(keyFolder == "/" ? 1 : keyFolder.count + 1))
        let moved =
            "closer-keys device show --vault \(vault.shellWord) --key-file FOLDER/\(name.shellWord)"
        findings.append(
            DoctorFinding(
                "keyBesideVault",
                "the key file \(keyFile) lies beside its vault: a copy of the folder opens it",
                mend: "mv \(keyFile.shellWord) FOLDER && \(moved)"))
        return findings
    }

    private static func folder(_ path: String) -> [DoctorFinding] {
        let isOpen = Paths.isWritableByOthers(path)
        let open = DoctorFinding(
            "folderOpen", "other users can write into the folder \(path)",
            mend: "chmod go-w \(path.shellWord)")
        let count = AtomicFile.temporaryCount(in: path)
        let left = DoctorFinding(
            "temporaryFiles", "\(count) temporary files of killed runs are in the folder \(path)",
            mend: "rm \(path.shellWord)/.closer-keys.*.tmp")
        return (isOpen ? [open] : []) + (count > 0 ? [left] : [])
    }

    private static func file(_ noun: String, _ path: String) -> [DoctorFinding] {
        guard Paths.isOpenToOthers(file: path) else { return [] }
        let name = noun == "key" ? "key file" : noun
        return [
            DoctorFinding(
                "\(noun)Open", "other users can read or write the \(name) \(path)",
                mend: "chmod 600 \(path.shellWord)")
        ]
    }

    /// Whether this machine remembers the vault.
    func memory() throws -> [DoctorFinding] {
        guard try KnownVaults.ours == nil else { return [] }
        return [
            DoctorFinding(
                "notRemembered",
                "this machine cannot remember the vault: an older copy in its place stays unnoticed",
                mend: "export XDG_STATE_HOME=FOLDER")
        ]
    }

    /// Whether there is a backup of a vault with couples.
    func export(of opened: Vault) throws -> [DoctorFinding] {
        guard try !opened.coupleIDs.isEmpty else { return [] }
        let mend = NextCommand.line("device export -o FILE")
        guard let time = try KnownVaults.ours?.vault(opened.version.vaultID)?.exportedAt else {
            return [DoctorFinding("noExport", "this machine never exported the vault", mend: mend)]
        }
        guard let age = age(of: time, above: Self.exportDays) else { return [] }
        return [DoctorFinding("oldExport", "the last export on this machine was made \(age)", mend: mend)]
    }
}
