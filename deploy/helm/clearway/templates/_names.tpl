{{- define "clearway.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "clearway.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "clearway.labels" -}}
{{ include "clearway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* Of every pod: no root, no way to more, nothing of its own to write on. */}}
{{- define "clearway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
{{- end }}

{{- define "clearway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities: { drop: [ALL] }
{{- end }}

{{- define "clearway.image" -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "clearway.environment" -}}
- { name: CLEARWAY_PORT, value: '4400' }
- { name: CLEARWAY_DATA, value: /data }
- { name: CLEARWAY_PUBLIC_URL, value: {{ required "publicUrl: where people reach Clearway" .Values.publicUrl | quote }} }
{{- if .Values.metrics.enabled }}
- { name: CLEARWAY_METRICS_PORT, value: {{ .Values.metrics.port | quote }} }
{{- end }}
{{- with .Values.s3 }}
{{- if .url }}
- { name: CLEARWAY_S3_URL, value: {{ .url | quote }} }
- { name: CLEARWAY_S3_REGION, value: {{ .region | quote }} }
- { name: CLEARWAY_S3_KEY_ID, value: {{ required "s3.keyId: the access key of the bucket" .keyId | quote }} }
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "clearway.secret" -}}
- secretRef: { name: {{ required "existingSecret: the Secret with DATABASE_URL and CLEARWAY_SECRET_KEY" .Values.existingSecret }} }
{{- end }}

{{- define "clearway.workerSecrets" -}}
- { name: DATABASE_URL, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: DATABASE_URL } } }
- { name: CLEARWAY_SECRET_KEY, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: CLEARWAY_SECRET_KEY } } }
- { name: CLEARWAY_SECRET_KEY_OLD, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: CLEARWAY_SECRET_KEY_OLD, optional: true } } }
- { name: CLEARWAY_S3_SECRET, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: CLEARWAY_S3_SECRET, optional: true } } }
- { name: CLEARWAY_PROXY_URL, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: CLEARWAY_PROXY_URL, optional: true } } }
- { name: CLEARWAY_REPORTS_SECRET, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: CLEARWAY_REPORTS_SECRET, optional: true } } }
- { name: OTEL_EXPORTER_OTLP_HEADERS, valueFrom: { secretKeyRef: { name: {{ .Values.existingSecret }}, key: OTEL_EXPORTER_OTLP_HEADERS, optional: true } } }
{{- end }}

{{/* Of every pod. A changed Secret restarts them: its checksum is read from the cluster, or given where Helm only renders. */}}
{{- define "clearway.podAnnotations" -}}
{{- $annotations := deepCopy .Values.podAnnotations }}
{{- $secret := lookup "v1" "Secret" .Release.Namespace .Values.existingSecret }}
{{- $checksum := .Values.secretChecksum }}
{{- if and (not $checksum) $secret }}
{{- $checksum = $secret.data | toJson | sha256sum }}
{{- end }}
{{- with $checksum }}
{{- $_ := set $annotations "checksum/secret" . }}
{{- end }}
{{- with $annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Over zones first, then over nodes. */}}
{{- define "clearway.spread" -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "clearway.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* One peer of a NetworkPolicy. */}}
{{- define "clearway.block" -}}
- ipBlock: { cidr: {{ . | quote }} }
{{- end }}

{{- define "clearway.ports" -}}
- { name: http, containerPort: 4400 }
{{- if .Values.metrics.enabled }}
- { name: metrics, containerPort: {{ .Values.metrics.port }} }
{{- end }}
{{- end }}

{{- define "clearway.probes" -}}
# Migrations may take a while; meanwhile it lives.
startupProbe: { httpGet: { path: /health/live, port: http }, periodSeconds: 2, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /health/live, port: http }, periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 3 }
readinessProbe: { httpGet: { path: /health/ready, port: http }, periodSeconds: 5, timeoutSeconds: 4, failureThreshold: 2 }
{{- end }}

{{- define "clearway.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "clearway.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 2Gi } }
- { name: data, emptyDir: { sizeLimit: 256Mi } }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
