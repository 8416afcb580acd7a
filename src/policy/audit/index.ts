export { type Audit, type AuditFinding, type AuditSetting, auditDocument } from "./audit.ts";
