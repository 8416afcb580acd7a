export { type Audit, type AuditFinding, type AuditSetting, auditDocument, type SkippedRule } from "./audit.ts";
