{{- define "vitrine.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* Short enough for the names that are made from it, which end in -instances at most. */}}
{{- define "vitrine.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "vitrine.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "vitrine.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "vitrine.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "vitrine.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* What never changes, for selectors. */}}
{{- define "vitrine.selectorLabels" -}}
app.kubernetes.io/name: {{ include "vitrine.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vitrine.labels" -}}
{{ include "vitrine.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}
