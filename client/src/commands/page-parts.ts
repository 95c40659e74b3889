import type { DoctorPage } from "../doctor/doctor-page";
import type { ReportDocuments } from "../documents/report-documents";
import type { PerformancePages } from "../performance/performance-pages";

/** The pages that commands open. */
export interface PageParts {
  readonly doctor: DoctorPage;
  readonly performance: PerformancePages;
  readonly reports: ReportDocuments;
}
